#!/usr/bin/env node
import { setTimeout } from 'node:timers/promises'
import { commandList } from './command-list.ts'
import { openActions } from './open-actions.ts'
import { runCommand } from './run-command.ts'
import type { World } from './terminal/command.ts'
import { readInput } from './terminal/read-input.ts'

const env = process.env
const nowMs = Date.now()
const printError = (text: string) => console.error(text)

const world: World = {
  env,
  nowMs,
  openActions: () => openActions({ env, nowMs }),
  readInput: (prompt) => readInput(process.stdin, printError, prompt),
  print: (text) => console.log(text),
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
    write: (text) => void process.stderr.write(text),
  },
  display: {
    isTerminal: process.stdout.isTTY,
    columns: () => process.stdout.columns,
    rows: () => process.stdout.rows,
    write: (text) => void process.stdout.write(text),
  },
  output: process.stdout,
}
process.exitCode = await runCommand(commandList, process.argv.slice(2), world)
