import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { HouseFormat } from '@continuity/core/packaging/house-format'
import { type Ladder, readLadder } from '@continuity/core/packaging/ladder'
import type { ProgramOrder } from '../../../../platform/programs/program-order.ts'
import { createProgramRunner } from '../../../../platform/programs/run-program.ts'

const silent = { debug() {}, info() {}, warn() {}, error() {} }
const runAny = createProgramRunner({ path: process.env['PATH'] ?? '', logger: silent })

/** A folder for one test, and programs whose orders are written down. */
export async function aPackaging(t: TestContext) {
  const root = await mkdtemp(join(tmpdir(), 'continuity-packaging-'))
  t.after(() => rm(root, { recursive: true, force: true }))
  const orders: ProgramOrder[] = []
  const runProgram = (order: ProgramOrder) => {
    orders.push(order)
    return runAny(order)
  }
  return { root, orders, deps: { runProgram } }
}

/** Runs ffmpeg with words that are parted by spaces. */
export async function ffmpeg(words: string): Promise<void> {
  const limits = { timeMs: 60_000, cpuMs: 60_000, memoryBytes: 2 ** 32 }
  const args = ['-nostdin', '-v', 'error', '-y', ...words.split(' ')]
  await runAny({ program: 'ffmpeg', args, limits, signal: new AbortController().signal })
}

export const aFormat: HouseFormat = { frameRate: 30, segmentMs: 3_200, loudnessLufs: -23 }

export function aLadder(text = '128x72@120+64,192x108@200+64'): Ladder {
  const read = readLadder(text)
  if (read.kind === 'refused') throw new Error(read.faults.join('; '))
  return read.ladder
}

/** What every order has in common. */
export const anOrder = (folder: string) => ({
  folder,
  format: aFormat,
  ladder: aLadder(),
  preset: 'ultrafast',
  signal: new AbortController().signal,
  onProgress: () => {},
})
