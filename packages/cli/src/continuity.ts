#!/usr/bin/env node
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { commandList } from './command-list.ts'
import { runCommand } from './run-command.ts'
import type { World } from './terminal/command.ts'
import { loadOwner } from './terminal/load-owner.ts'
import { requireSetting } from './terminal/require-setting.ts'

const env = process.env
const nowMs = Date.now()
const printError = (line: string) => console.error(line)

const world: World = {
  env,
  nowMs,
  openActions: async () => {
    const { openOwner } = await loadOwner()
    return openOwner(await requireSetting('databaseOwnerUrl', env), nowMs)
  },
  readInput: (prompt = 'Type the password, then Enter and Ctrl-D.') => {
    if (process.stdin.isTTY) printError(prompt)
    return text(process.stdin)
  },
  print: (line) => console.log(line),
  printError,
  clock: Date.now,
  sleep: async (ms, signal) => setTimeout(ms, undefined, { signal }),
  interruption: () => {
    const controller = new AbortController()
    // Once: a second Ctrl-C ends the process at once.
    process.once('SIGINT', () => controller.abort())
    // Not once: each pending write emits its own error.
    process.stdout.on('error', () => controller.abort())
    return controller.signal
  },
  screen: {
    isTerminal: process.stderr.isTTY,
    columns: () => process.stderr.columns,
    write: (line) => void process.stderr.write(line),
  },
  display: {
    isTerminal: process.stdout.isTTY,
    columns: () => process.stdout.columns,
    rows: () => process.stdout.rows,
    write: (line) => void process.stdout.write(line),
  },
  output: process.stdout,
}
process.exitCode = await runCommand(commandList, process.argv.slice(2), world)
