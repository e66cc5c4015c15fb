import { DEFAULT_LADDER } from '@continuity/core/media/ladder'
import type { Bench } from '../bench.ts'
import { comparePackaging } from './compare.ts'

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
