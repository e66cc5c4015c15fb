import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { HouseFormat } from '@continuity/core/media/house-format'
import { type Ladder, readLadder } from '@continuity/core/media/ladder'
import type { ProgramOptions } from '../../../../platform/programs/program-options.ts'
import { createProgramRunner } from '../../../../platform/programs/run-program.ts'

const silent = { debug() {}, info() {}, warn() {}, error() {} }
const runAny = createProgramRunner({ path: process.env['PATH'] ?? '', logger: silent })

/** A folder for one test, and a program runner that records what it runs. */
export async function aPackaging(t: TestContext) {
  const root = await mkdtemp(join(tmpdir(), 'continuity-packaging-'))
  t.after(() => rm(root, { recursive: true, force: true }))
  const programRuns: ProgramOptions[] = []
  const runProgram = (options: ProgramOptions) => {
    programRuns.push(options)
    return runAny(options)
  }
  return { root, programRuns, deps: { runProgram } }
}

/** Runs ffmpeg with arguments that are separated by spaces. */
export async function ffmpeg(line: string): Promise<void> {
  const limits = { timeMs: 60_000, cpuMs: 60_000, memoryBytes: 2 ** 32 }
  const args = ['-nostdin', '-v', 'error', '-y', ...line.split(' ')]
  await runAny({ program: 'ffmpeg', args, limits, signal: new AbortController().signal })
}

export const aFormat: HouseFormat = { frameRate: 30, segmentMs: 3_200, loudnessLufs: -23 }

export function aLadder(text = '128x72@120+64,192x108@200+64'): Ladder {
  const read = readLadder(text)
  if (read.kind === 'rejected') throw new Error(read.faults.join('; '))
  return read.ladder
}

/** Options that all tests share. */
export const someOptions = (folder: string) => ({
  folder,
  format: aFormat,
  ladder: aLadder(),
  preset: 'ultrafast',
  signal: new AbortController().signal,
  onProgress: () => {},
})
