import { proof } from '../proofs/proof.ts'
import { type DelayedCount, delaysMs, playDelayed } from './play-delayed.ts'

interface Size {
  readonly histories: number
  /** Hours of a channel that are recorded, minute by minute. */
  readonly hours: number
}

export const delayedOutputs = proof<Size>({
  name: 'delayed-outputs',
  title: 'Delayed outputs',
  promise:
    'A channel goes through a random history of programs, overrides, returns, rescues, ad breaks, stops and starts. Its ' +
    'playlists are recorded at every minute of a day, as a node serves them then. Outputs with a delay of one hour, three ' +
    'hours, a day and of 1:23:47 return the same their delay later, when the node knows what came since and has dropped ' +
    'what it no longer needs: all lines are the same, and the dates are later by exactly the delay, in three styles of ' +
    'windows and markers, on air and off air. With a time shift they return the same so much later still. Their dates are ' +
    'those of the clock of their viewers, and their guides have the programs of the channel, later by the delay.',
  watches: [
    'packages/core/src/hls',
    'packages/core/src/timeline',
    'packages/server/src/modules/playout',
    'e2e/delayed-outputs',
  ],
  sabotage: {
    title: 'a delayed output shows what the channel shows now',
    changes: [
      {
        file: 'packages/server/src/modules/playout/media-playlists.ts',
        from: 'const atTicks = ticksOf(nowMs - shiftMs - delayOf(output))\n      const params',
        to: 'const atTicks = ticksOf(nowMs - shiftMs)\n      const params',
      },
    ],
    missed: ['same_playlists', 'different_playlists', 'playlists_with_other_dates'],
  },
  sizes: { small: { histories: 1, hours: 4 }, full: { histories: 12, hours: 24 } },
  async run({ size: { histories, hours }, seed, log }) {
    const sums: Record<string, number> = {}
    const commands: Record<string, number> = {}
    const faults: string[] = []
    let changes = 0
    for (let at = 0; at < histories; at += 1) {
      const played = await playDelayed(seed * 1_000 + at, hours)
      for (const [name, count] of Object.entries(played.counts)) sums[name] = (sums[name] ?? 0) + count
      for (const [kind, count] of played.carriedOut) commands[kind] = (commands[kind] ?? 0) + count
      faults.push(...played.faults)
      changes += played.changes
      log(`history ${at + 1}: ${JSON.stringify(played.counts)}`)
      if (faults.length > 1_000) break
    }
    for (const fault of faults.slice(0, 10)) log(fault)
    const count = (name: DelayedCount) => sums[name] ?? 0
    const minutes = histories * hours * 60
    const playlists = minutes * delaysMs.length * 3
    return {
      figures: {
        histories,
        minutes_recorded: minutes,
        changes_of_timelines: changes,
        overrides_and_rescues: (commands['override'] ?? 0) + (commands['rescue'] ?? 0),
        same_playlists: count('same'),
        different_playlists: count('different'),
        same_with_a_time_shift: count('sameShifted'),
        same_while_off_air: count('off'),
        same_with_breaks: count('withBreaks'),
        same_with_live_segments: count('withLive'),
        playlists_with_other_dates: count('wrongDates'),
        guides: count('guides'),
        different_guides: count('differentGuides'),
      },
      // Minimums are about half of what was measured, or less where it depends on the seed.
      targets: {
        changes_of_timelines: { atLeast: 20 * histories },
        overrides_and_rescues: { atLeast: 10 * histories },
        same_playlists: { is: playlists },
        different_playlists: { is: 0 },
        same_with_a_time_shift: { atLeast: Math.floor(playlists * 0.03) },
        same_while_off_air: { atLeast: Math.floor(playlists * 0.002) },
        same_with_breaks: { atLeast: Math.floor(playlists * 0.02) },
        same_with_live_segments: { atLeast: Math.floor(playlists * 0.02) },
        playlists_with_other_dates: { is: 0 },
        guides: { atLeast: Math.floor(minutes * 0.03) },
        different_guides: { is: 0 },
      },
    }
  },
})
