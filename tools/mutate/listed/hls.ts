import type { ListedMutants } from '../listed-mutant.ts'

const core = 'packages/core/src'

export const hlsMutants: ListedMutants = {
  area: 'hls',
  mutants: [
    {
      id: 'h01',
      title: 'DURATION is the end of the segment and not the announced one',
      change: {
        file: `${core}/hls/markers.ts`,
        from: 'reportedTicks }: ShownBreak, delayTicks: number): string {\n',
        to: 'endTicks }: ShownBreak, delayTicks: number): string {\n  const reportedTicks = endTicks - startTicks\n',
      },
      tests: [`${core}/hls/markers.test.ts`, `${core}/hls/media-playlist.test.ts`],
    },
    {
      id: 'h02',
      title: 'CUE-IN at the beginning of a part is lost',
      change: {
        file: `${core}/hls/media-playlist.ts`,
        from: 'startTicks <= it.endTicks',
        to: 'startTicks < it.endTicks',
      },
      tests: [`${core}/hls/media-playlist.test.ts`],
    },
    {
      id: 'h03',
      title: 'an ended playlist is answered as a delta',
      change: {
        file: `${core}/hls/media-playlist.ts`,
        from: 'style.skipTicks === undefined || window.isEnded',
        to: 'style.skipTicks === undefined',
      },
      tests: [`${core}/hls/media-playlist.test.ts`],
    },
    {
      id: 'h04',
      title: 'seconds are rounded down',
      change: {
        file: `${core}/hls/print-time.ts`,
        from: 'Math.round(ticks / TICKS_PER_MS)',
        to: 'Math.floor(ticks / TICKS_PER_MS)',
      },
      tests: [`${core}/hls/print-time.test.ts`],
    },
    {
      id: 'h05',
      title: 'a delta takes the discontinuity before it from the part before',
      change: {
        file: `${core}/hls/skip-segments.ts`,
        from: 'from > part.from ? numberAt(part, from - 1, live) : numberOfLast(parts[at - 1], live)',
        to: 'numberOfLast(parts[at - 1], live)',
      },
      tests: [`${core}/hls/media-playlist.test.ts`],
    },
    {
      id: 'h06',
      title: 'a playlist may be shorter than three target durations',
      change: {
        file: `${core}/hls/media-playlist.ts`,
        from: 'Math.max(ticksOf(windowMs), 3 * targetTicks)',
        to: 'Math.max(ticksOf(windowMs), 2 * targetTicks)',
      },
      tests: [`${core}/hls/media-playlist.test.ts`],
    },
  ],
}
