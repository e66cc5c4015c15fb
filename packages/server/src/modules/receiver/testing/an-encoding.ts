import { type Ladder, readLadder } from '@continuity/core/media/ladder'
import { createProgramRunner } from '../../../platform/programs/run-program.ts'

export const silent = { debug() {}, info() {}, warn() {}, error() {} }

export const runProgram = createProgramRunner({ path: process.env['PATH'] ?? '', logger: silent })

export function aLadder(text: string): Ladder {
  const read = readLadder(text)
  if (read.kind === 'rejected') throw new Error(read.faults.join('; '))
  return read.ladder
}
