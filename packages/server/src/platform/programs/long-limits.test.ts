import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createProgramRunner } from './run-program.ts'

const silent = { debug() {}, info() {}, warn() {}, error() {} }

test('a time limit of more than 24 days does not end a program at once', async () => {
  const runProgram = createProgramRunner({ path: process.env['PATH'] ?? '', logger: silent })

  const { stdout } = await runProgram({
    program: 'sh',
    args: ['-c', 'sleep 0.2; echo done'],
    limits: { timeMs: 2 ** 31, cpuMs: 60_000, memoryBytes: 2 ** 31 },
    signal: new AbortController().signal,
  })

  assert.equal(stdout, 'done\n')
})
