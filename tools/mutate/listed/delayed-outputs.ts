import type { ListedMutants } from '../listed-mutant.ts'

const core = 'packages/core/src'
const playout = 'packages/server/src/modules/playout'

export const delayedOutputs: ListedMutants = {
  area: 'delayed-outputs',
  mutants: [
    {
      id: 'do01',
      title: 'date ranges of a delayed output have the dates of the channel',
      change: {
        file: `${core}/hls/media-playlist.ts`,
        from: 'printRanges(breaks, style.delayTicks)',
        to: 'printRanges(breaks, 0)',
      },
      tests: [`${core}/hls/media-playlist.test.ts`, `${playout}/delayed-outputs.test.ts`],
    },
    {
      id: 'do02',
      title: 'a cached playlist of a delayed output is valid by the time of the channel',
      change: {
        file: `${playout}/media-playlists.ts`,
        from: 'behindTicks: ticksOf(shiftMs + delayOf(output))',
        to: 'behindTicks: ticksOf(shiftMs)',
      },
      tests: [`${playout}/delayed-outputs.test.ts`],
    },
    {
      id: 'do03',
      title: 'a multivariant playlist is served while a delayed output is off air',
      change: {
        file: `${playout}/media-playlists.ts`,
        from: `requireOnAir(state, output, shiftMs, nowMs) {
      const atTicks = ticksOf(nowMs - shiftMs - delayOf(output))`,
        to: `requireOnAir(state, output, shiftMs, nowMs) {
      const atTicks = ticksOf(nowMs - shiftMs)`,
      },
      tests: [`${playout}/delayed-outputs.test.ts`],
    },
    {
      id: 'do04',
      title: 'a shift may be longer than a day with the delay',
      change: {
        file: `${playout}/playlist-address.ts`,
        from: 'SHIFT_MAXIMUM_MS - delayOf(output)',
        to: 'SHIFT_MAXIMUM_MS',
      },
      tests: [`${playout}/delayed-outputs.test.ts`],
    },
    {
      id: 'do05',
      title: 'time-shifted viewers evict the part of a delayed output',
      change: {
        file: `${playout}/hot-channels.ts`,
        from: 'ticksOf(nowMs - delayOf(output))',
        to: 'ticksOf(nowMs)',
      },
      tests: [`${playout}/caches.test.ts`],
    },
    {
      id: 'do06',
      title: 'a delayed guide reaches further back than nodes keep timelines',
      change: {
        file: `${playout}/render-guide.ts`,
        from: 'Math.min(delayMs + PAST_MS, SHIFT_MAXIMUM_MS)',
        to: '(delayMs + PAST_MS)',
      },
      tests: [`${playout}/delayed-outputs.test.ts`],
    },
    {
      id: 'do07',
      title: 'a start on a delayed output is counted in what the channel shows now',
      change: {
        file: `${playout}/audience/audience-counter.ts`,
        from: `const behindMs = shiftMs + output.delayMs + output.holdBackMs
    const cell`,
        to: `const behindMs = shiftMs + output.holdBackMs
    const cell`,
      },
      tests: [`${playout}/audience/audience-counter.test.ts`],
    },
    {
      id: 'do08',
      title: 'an output that was created again is counted with its former delay',
      change: {
        file: `${playout}/audience/audience-counter.ts`,
        from: 'if (found?.delayMs === delayMs) return found',
        to: 'if (found !== undefined) return found',
      },
      tests: [`${playout}/audience/audience-counter.test.ts`],
    },
    {
      id: 'do09',
      title: 'nodes keep timelines for less than a delay of a day and its window',
      change: {
        file: `${core}/timeline/codec/packed.ts`,
        from: "ticksOf(SHIFT_MAXIMUM_MS) + backOf(longestWindowTicks, 'FULL_LENGTH')",
        to: 'ticksOf(SHIFT_MAXIMUM_MS) - longestWindowTicks',
      },
      tests: [`${playout}/delayed-outputs.test.ts`],
    },
    {
      id: 'do10',
      title: 'the delay of an output changes while players follow it',
      change: {
        file: 'packages/server/src/modules/channels/change-output.ts',
        from: '  if (changes.delayMs !== undefined && changes.delayMs !== before.delayMs) throw DelayFixed()\n',
        to: '',
      },
      tests: ['packages/server/src/modules/channels/outputs.db.test.ts'],
    },
  ],
}
