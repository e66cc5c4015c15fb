import type { Targets } from '../../tools/figures/figures.ts'
import type { Bench } from '../bench.ts'
import { renderCases } from './cases.ts'
import { compareRender } from './compare.ts'

export const render: Bench = {
  name: 'render',
  title: 'Rendering a media playlist against copying its bytes',
  watches: ['packages/core/src/hls', 'packages/core/src/timeline', 'bench/render'],
  limits: {
    small_ratio:
      'finding the window, the head and the dates takes longer than copying 1.8 kB. The target remains; the one in microseconds is met',
    large_ratio:
      'texts are joined as strings, in 104 parts against 67 of the copy. The target remains; the one in microseconds is met',
  },
  question:
    'From the timeline of a day and a time to the bytes of a media playlist, each time at another time of the day. ' +
    'Against copying the same bytes into a new buffer: tags as they are, lines of segments range by range from the ' +
    'playlists of whole assets, known beforehand. `small` is a window of 32 s, `large` one of 2,500 s; ' +
    '`break` and `cues` have ad breaks with both kinds of markers, `ranges` with date ranges alone, `delta` leaves ' +
    'out what a player has. Rounds are interleaved, figures are medians of rounds.',
  run: async (context) => ({ figures: compareRender(context), targets }),
}

const targets: Targets = Object.fromEntries(
  renderCases.flatMap(({ name, atMostMicroseconds, atMostRatio }) =>
    atMostMicroseconds === undefined || atMostRatio === undefined
      ? []
      : [
          [`${name}_us`, { atMost: atMostMicroseconds }],
          [`${name}_ratio`, { atMost: atMostRatio }],
        ],
  ),
)
