import type { Command } from '../terminal/command.ts'
import { submitCommand } from './submit-command.ts'
import { watchCommand } from './watch-command.ts'

/** These commands only use the API, like `catalog`. */
export const ingestCommands: readonly Command[] = [submitCommand, watchCommand]
