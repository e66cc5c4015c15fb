import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { DEFAULT_LADDER, type Ladder } from '@continuity/core/media/ladder'
import { round } from '@continuity/dev/figures'
import type { Bench } from '../bench.ts'
import { bareArguments } from '../packaging/bare-ffmpeg.ts'
import { childCpuMs } from '../packaging/child-cpu.ts'
import { compareReceiver } from './compare.ts'
import { format } from './house-format.ts'
import { makeLiveFilm } from './live-film.ts'

/** A round takes two minutes. */
const ROUNDS_MAXIMUM = 7
const PRESET = 'veryfast'
/** Minimum encoding speed against real time: the origin and NATS share the machine, and neither side may be late. */
const LEAST_SPEED = 2

export const receiver: Bench = {
  name: 'receiver',
  title: 'Receiving a live source against bare ffmpeg',
  question:
    'A receiver process receives one live source of 8 Mbit/s in BT.709 over HTTP, encodes its renditions, stores them on disk and writes the live log. ' +
    'Against one plain ffmpeg with the same encoder settings that reads the same media from a file with `-re`. Processor time ' +
    '(user and system) of the process and its children per house segment, after the start of both. The ' +
    'renditions are the default ladder up to the rung that the machine encodes at least at twice real time: with ' +
    'fewer rungs the part that is not encoding weighs more. Rounds are interleaved, figures are medians. `default_ladder_cores` is the bare ' +
    'encoding of all four rungs, measured at full speed.',
  async run({ rounds, log }) {
    const { ladder, cores } = await fittingLadder(log)
    const figures = await compareReceiver({
      ladder,
      preset: PRESET,
      rounds: Math.min(rounds, ROUNDS_MAXIMUM),
      segments: 15,
      skippedSegments: 4,
      log,
    })
    return {
      figures: { ...figures, highest_rung: ladder.at(-1)!.name, default_ladder_cores: cores },
      targets: {
        receiver_cpu_ratio: { atMost: 1.15 },
        // Otherwise the comparison is invalid.
        our_speed: { atLeast: 0.95 },
        bare_speed: { atLeast: 0.95 },
        stored_segments_share: { atLeast: 0.9 },
      },
    }
  },
}

/** The default ladder up to a rung that this machine currently encodes in real time, and the cost of the full ladder. */
async function fittingLadder(log: (line: string) => void): Promise<{ ladder: Ladder; cores: number }> {
  const fullLadder = await measureLadder(DEFAULT_LADDER, PRESET)
  let ladder = DEFAULT_LADDER
  for (let cost = fullLadder; ; cost = await measureLadder(ladder, PRESET)) {
    log(`${ladder.length} rungs take ${cost.cores} cores and are encoded at ${cost.speed} times real time`)
    if (cost.speed >= LEAST_SPEED || ladder.length === 1) return { ladder, cores: fullLadder.cores }
    ladder = ladder.slice(0, -1)
  }
}

const run = promisify(execFile)
const SECONDS = 6

interface LadderCost {
  /** Cores that bare ffmpeg needs to encode the ladder in real time; a machine may have fewer. */
  readonly cores: number
  /** Encoding speed of this machine, as a multiple of real time. */
  readonly speed: number
}

/** Encodes a ladder at full speed. */
async function measureLadder(ladder: Ladder, preset: string): Promise<LadderCost> {
  await using opened = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'continuity-bench-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  const { width, height } = ladder.at(-1)!
  const film = await makeLiveFilm(opened, { folder, seconds: SECONDS, size: `${width}x${height}` })
  const [startMs, startCpuMs] = [performance.now(), childCpuMs()]
  await run('ffmpeg', bareArguments(film.file, folder, { ladder, preset, format }))
  const mediaMs = SECONDS * 1_000
  return {
    cores: round((childCpuMs() - startCpuMs) / mediaMs, 2),
    speed: round(mediaMs / (performance.now() - startMs), 2),
  }
}
