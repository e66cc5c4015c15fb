import { join } from 'node:path'
import { createProgramRunner } from '../run-program.ts'

/** Runs a program that does not end and writes its own pid to a file: for a test that kills this process. */
const [folder = '/'] = process.argv.slice(2)
const silent = { debug() {}, info() {}, warn() {}, error() {} }
const runProgram = createProgramRunner({ path: process.env['PATH'] ?? '', logger: silent })
const hour = 3_600_000
await runProgram({
  program: 'sh',
  args: ['-c', `echo $$ > ${join(folder, 'pid')}; exec sleep 60`],
  limits: { timeMs: hour, cpuMs: hour, memoryBytes: 2 ** 31 },
  signal: new AbortController().signal,
})
