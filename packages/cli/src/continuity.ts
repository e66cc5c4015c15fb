#!/usr/bin/env node
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
  readInput: () => readInput(process.stdin, complain),
  print: (text) => console.log(text),
  complain,
  clock: Date.now,
  screen: {
    isTerminal: process.stderr.isTTY,
    columns: () => process.stderr.columns,
    write: (text) => void process.stderr.write(text),
  },
  output: process.stdout,
}
process.exitCode = await runCommand(commandList, process.argv.slice(2), world)
