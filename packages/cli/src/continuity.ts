#!/usr/bin/env node
import { setTimeout } from 'node:timers/promises'
import type { World } from './command.ts'
import { commandList } from './command-list.ts'
import { openActions } from './open-actions.ts'
import { readInput } from './read-input.ts'
import { runCommand } from './run-command.ts'

const env = process.env
const nowMs = Date.now()
const complain = (text: string) => console.error(text)

const world: World = {
  env,
  nowMs,
  openActions: () => openActions({ env, nowMs }),
  readInput: (prompt) => readInput(process.stdin, complain, prompt),
  print: (text) => console.log(text),
  complain,
  clock: Date.now,
  sleep: async (ms, signal) => setTimeout(ms, undefined, { signal }),
  interruption: () => {
    const controller = new AbortController()
    // Once: who presses it again wants out at once.
    process.once('SIGINT', () => controller.abort())
    // Each line that was on its way fails by itself, so this one stays.
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
