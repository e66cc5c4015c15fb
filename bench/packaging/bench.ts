import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HouseFormat } from '@continuity/core/media/house-format'
import { DEFAULT_LADDER, type Ladder } from '@continuity/core/media/ladder'
import { type Figures, median, round } from '@continuity/dev/figures'
import { packageFile } from '../../packages/server/src/modules/assets/packaging/package-file.ts'
import { probeFile } from '../../packages/server/src/modules/assets/packaging/probe-file.ts'
import { createProgramRunner } from '../../packages/server/src/platform/programs/run-program.ts'
import type { Bench } from '../bench.ts'
import { bareArguments, filmArguments } from './bare-ffmpeg.ts'
import { childCpuMs } from './child-cpu.ts'

/** A round takes at least as long as the film, so more rounds would take a working day. */
const ROUNDS_MAXIMUM = 5

export const packaging: Bench = {
  name: 'packaging',
  title: 'Packaging a file against bare ffmpeg',
  question:
    'Five minutes of 720p with sound become the three rungs up to 720p. Ours also measures the loudness, makes a still ' +
    'of every segment and an MP4, joins a short tail, reads every segment again, and writes index and playlists. ' +
    'Against one plain ffmpeg with the same encoder settings and `-f hls`. Time from start to end, with the same ' +
    'priority; rounds are interleaved, figures are medians.',
  async run({ rounds, log }) {
    const ladder = DEFAULT_LADDER.filter(({ height }) => height <= 720)
    const options = {
      seconds: 300,
      size: '1280x720',
      ladder,
      preset: 'veryfast',
      rounds: Math.min(rounds, ROUNDS_MAXIMUM),
    }
    return {
      figures: await comparePackaging({ ...options, log }),
      targets: { packaging_ratio: { atMost: 1.15 } },
    }
  },
}

interface PackagingComparison {
  readonly seconds: number
  readonly size: string
  readonly ladder: Ladder
  readonly preset: string
  readonly rounds: number
  log(line: string): void
}

const format: HouseFormat = { frameRate: 30, segmentMs: 3_200, loudnessLufs: -23 }
const silent = { debug() {}, info() {}, warn() {}, error() {} }
const { signal } = new AbortController()

interface Cost {
  readonly wallMs: number
  readonly cpuMs: number
}

/** How much longer packaging takes than its bare encoding. */
export async function comparePackaging(options: PackagingComparison): Promise<Figures> {
  await using opened = new AsyncDisposableStack()
  const root = await mkdtemp(join(tmpdir(), 'continuity-bench-'))
  opened.defer(() => rm(root, { recursive: true, force: true }))
  const file = join(root, 'film.mp4')
  const runProgram = createProgramRunner({ path: process.env['PATH'] ?? '', logger: silent })
  const limits = { timeMs: 3_600_000, cpuMs: 7_200_000, memoryBytes: 2 ** 33 }
  const ffmpeg = (args: readonly string[]) => runProgram({ program: 'ffmpeg', args, limits, signal })
  await ffmpeg(filmArguments(file, options))

  const ours = async (folder: string) => {
    const facts = await probeFile({ runProgram }, file, signal)
    const packaged = { file, facts, folder, format, isSlate: false, signal, onProgress: () => {} }
    await packageFile({ runProgram }, { ...packaged, ladder: options.ladder, preset: options.preset })
  }
  const bare = (folder: string) => ffmpeg(bareArguments(file, folder, { ...options, format }))
  const rounds: { readonly ours: Cost; readonly bare: Cost }[] = []
  for (let at = 1; at <= options.rounds; at += 1) {
    const costs = { bare: await measure(root, bare), ours: await measure(root, ours) }
    rounds.push(costs)
    const ratio = round(costs.ours.wallMs / costs.bare.wallMs, 3)
    options.log(`round ${at}: bare ${seconds(costs.bare)} s, ours ${seconds(costs.ours)} s, ratio ${ratio}`)
  }
  const ratios = (by: keyof Cost) => rounds.map((it) => it.ours[by] / it.bare[by])
  return {
    packaging_ratio: round(median(ratios('wallMs')), 3),
    packaging_cpu_ratio: round(median(ratios('cpuMs')), 3),
    lowest_ratio: round(Math.min(...ratios('wallMs')), 3),
    highest_ratio: round(Math.max(...ratios('wallMs')), 3),
    bare_seconds: round(median(rounds.map((it) => it.bare.wallMs)) / 1_000, 1),
    our_seconds: round(median(rounds.map((it) => it.ours.wallMs)) / 1_000, 1),
    film_seconds: options.seconds,
    rungs: options.ladder.length,
    rounds: options.rounds,
  }
}

async function measure(root: string, work: (folder: string) => Promise<unknown>): Promise<Cost> {
  const folder = await mkdtemp(join(root, 'made-'))
  const [startMs, startCpuMs] = [performance.now(), childCpuMs()]
  await work(folder)
  const cost = { wallMs: performance.now() - startMs, cpuMs: childCpuMs() - startCpuMs }
  await rm(folder, { recursive: true })
  return cost
}

const seconds = ({ wallMs }: Cost): number => round(wallMs / 1_000, 1)
