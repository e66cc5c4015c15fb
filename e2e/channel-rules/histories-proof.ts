import { proof } from '../proofs/proof.ts'
import { checkPlayed } from './check-played.ts'
import { type HistorySize, playHistory } from './play-history.ts'

interface Histories {
  readonly histories: number
}

const size: HistorySize = {
  minutes: 15,
  orderMs: 60_000,
  lookMs: 4_000,
  aheadMs: 600_000,
  longestProgramMs: 180_000,
  parseEvery: 50,
  hasOtherNodes: true,
}

export const channelHistories = proof<Histories>({
  name: 'channel-histories',
  title: 'Channels through histories by chance',
  promise:
    'A channel lives through schedules, overrides, returns, rescues, breaks, stalls, replaced programs, stops and starts ' +
    'that come by chance. Three nodes learn of each change at instants of their own within the guard; one keeps its ' +
    'timeline packed, one has every span in two, all are warm, and now and then one that is cold is asked. At every ' +
    'instant all answer the same bytes, for three outputs. The walker finds nothing wrong in them. Whatever was answered ' +
    'is answered again by the timeline that stands in the end; the as-run record has the very segments of the playlists, ' +
    'the guide tells of the programs that it has, a program that nothing is in the way of begins and ends within a second ' +
    'of its times without a hole; and the order in which programs are told changes nothing.',
  sizes: { small: { histories: 300 }, full: { histories: 20_000 } },
  async run({ size: { histories }, seed, say }) {
    const totals = { looks: 0, parsed: 0, programs: 0, changes: 0 }
    const faults: string[] = []
    for (let at = 0; at < histories; at += 1) {
      // Each can be played again alone.
      const own = seed * 1_000_000 + at
      try {
        const played = playHistory(own, size)
        const { programsInTime } = checkPlayed(played)
        totals.looks += played.looks
        totals.parsed += played.parsed
        totals.programs += programsInTime
        totals.changes += played.controller.changes.length
        faults.push(
          ...[...played.violations, ...played.disagreements].map((fault) => `history ${own}: ${fault}`),
        )
      } catch (error) {
        faults.push(`history ${own}: ${(error as Error).message}`)
      }
      if (at % 1_000 === 999) say(`${at + 1} histories, ${faults.length} faults`)
    }
    for (const fault of faults.slice(0, 10)) say(fault)
    return {
      figures: {
        histories,
        changes_of_timelines: totals.changes,
        looks_at_three_outputs: totals.looks,
        playlists_read_by_other_parsers: totals.parsed,
        programs_begun_and_ended_in_time: totals.programs,
        faults: faults.length,
      },
      targets: { faults: { is: 0 }, programs_begun_and_ended_in_time: { atLeast: histories / 2 } },
    }
  },
})
