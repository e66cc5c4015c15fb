import type { Command } from '../command.ts'
import { submitCommand } from './submit-command.ts'
import { watchCommand } from './watch-command.ts'

/** Clients of the service, as `catalog` is: they reach nothing but the API. */
export const ingestCommands: readonly Command[] = [submitCommand, watchCommand]
