import type { Targets } from '@continuity/dev/figures'
import type { Bench } from '../bench.ts'
import { renderCases } from './cases.ts'
import { compareRender } from './compare.ts'

export const render: Bench = {
  name: 'render',
  title: 'Rendering a media playlist against copying its bytes',
  limits: {
    small_ratio:
      'finding the window, the head and the dates takes longer than copying 1.8 kB. The target remains; the one in microseconds is met',
    large_us:
      'texts are joined into one string, since a string body is sent at less cost than a buffer; above 128 kB the engine ' +
      'gives each string memory of its own. Written into a buffer instead, the same texts take about 0.6 of the time, and ' +
      'finding and listing them a tenth of it. The target remains: playlists of such a size could be kept as buffers',
    large_ratio: 'as for large_us: the copy is made into a buffer. The target remains',
  },
  question:
    'A media playlist as a playout node prints it for the first of its viewers: from the timeline of a day, of which the ' +
    'node has unpacked the part around the time, to the text that it sends, each time at another time of the day. ' +
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
