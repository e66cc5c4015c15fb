import { DEFAULT_LADDER, type Ladder } from '@continuity/core/packaging/ladder'
import type { Bench } from '../bench.ts'
import { compareReceiver } from './compare.ts'
import { measureLadder } from './ladder-cost.ts'

/** A round takes two minutes. */
const ROUNDS_MAXIMUM = 7
const PRESET = 'veryfast'
/** So much faster than real time the encoding alone has to be: the origin and NATS run there too, and neither side may be late. */
const LEAST_SPEED = 2

export const receiver: Bench = {
  name: 'receiver',
  title: 'Receiving a live source against bare ffmpeg',
  watches: [
    'packages/core/src/live',
    'packages/core/src/packaging',
    'packages/server/src/modules/receiver',
    'packages/server/src/platform/guarded-fetch',
    'packages/server/src/platform/programs',
    'bench/receiver',
  ],
  question:
    'A receiver process receives one live source of 8 Mbit/s over HTTP, makes its renditions, stores them on disk and writes the log. ' +
    'Against one plain ffmpeg with the same encoder settings that reads the same media from a file with `-re`. Processor time ' +
    '(user and system) of the process and of all that it starts, for each house segment, behind the start of both. The ' +
    'renditions are the default ladder up to the rung that the machine encodes at twice the speed of real time at least: with ' +
    'fewer rungs the part that is not encoding weighs more. Rounds are interleaved, figures are medians. `default_ladder_cores` is the bare ' +
    'encoding of all four rungs, measured as fast as the machine has it.',
  async run({ rounds, say }) {
    const { ladder, cores } = await fittingLadder(say)
    const figures = await compareReceiver({
      ladder,
      preset: PRESET,
      rounds: Math.min(rounds, ROUNDS_MAXIMUM),
      segments: 15,
      skippedSegments: 4,
      say,
    })
    return {
      figures: { ...figures, highest_rung: ladder.at(-1)!.name, default_ladder_cores: cores },
      targets: {
        receiver_cpu_ratio: { atMost: 1.15 },
        // Else it was something else that was measured.
        our_speed: { atLeast: 0.95 },
        bare_speed: { atLeast: 0.95 },
        stored_segments_share: { atLeast: 0.9 },
      },
    }
  },
}

/** The default ladder up to a rung that this machine encodes in real time now, and what all of it takes. */
async function fittingLadder(say: (line: string) => void): Promise<{ ladder: Ladder; cores: number }> {
  const whole = await measureLadder(DEFAULT_LADDER, PRESET)
  let ladder = DEFAULT_LADDER
  for (let cost = whole; ; cost = await measureLadder(ladder, PRESET)) {
    say(`${ladder.length} rungs take ${cost.cores} cores, and are made at ${cost.speed} times real time`)
    if (cost.speed >= LEAST_SPEED || ladder.length === 1) return { ladder, cores: whole.cores }
    ladder = ladder.slice(0, -1)
  }
}
