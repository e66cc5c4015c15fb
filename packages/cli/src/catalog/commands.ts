import type { Command } from '../terminal/command.ts'
import { exportCommand } from './export-command.ts'
import { findCommand } from './find-command.ts'
import { importCommand } from './import-command.ts'

export const catalogCommands: readonly Command[] = [importCommand, exportCommand, findCommand]
