import { proof } from '../proofs/proof.ts'
import { checkPlayed } from './check-played.ts'
import { playHistory } from './play-history.ts'

interface Walk {
  readonly channels: number
  readonly hours: number
}

export const channelWalk = proof<Walk>({
  name: 'channel-walk',
  title: 'Channels over days, as a careful player sees them',
  promise:
    'Channels run for days of simulated time, with programs of half an hour and orders by chance, and plan hours ahead. A ' +
    'walker reads three outputs of each every few seconds and checks every rule that it knows; two other parsers read ' +
    'every fiftieth window, one of them strictly, and find the same in it. In the end every window is printed once more, ' +
    'and is the same.',
  sizes: { small: { channels: 10, hours: 24 }, full: { channels: 100, hours: 72 } },
  async run({ size: { channels, hours }, seed, say }) {
    const totals = { looks: 0, parsed: 0, programs: 0, changes: 0, disagreements: 0 }
    const faults: string[] = []
    for (let channel = 0; channel < channels; channel += 1) {
      const played = playHistory(seed * 1_000_000 + channel, {
        minutes: hours * 60,
        orderMs: 900_000,
        lookMs: 7_000,
        aheadMs: 4 * 3_600_000,
        longestProgramMs: 1_800_000,
        parseEvery: 50,
        hasOtherNodes: false,
      })
      totals.programs += checkPlayed(played).programsInTime
      totals.looks += played.looks
      totals.parsed += played.parsed
      totals.changes += played.controller.changes.length
      totals.disagreements += played.disagreements.length
      faults.push(...played.violations)
      say(`channel ${channel + 1}: ${played.looks} looks, ${played.violations.length} violations`)
    }
    for (const fault of faults.slice(0, 10)) say(fault)
    return {
      figures: {
        channels,
        hours_of_each: hours,
        changes_of_timelines: totals.changes,
        looks_at_three_outputs: totals.looks,
        violations: faults.length,
        playlists_read_by_other_parsers: totals.parsed,
        disagreements: totals.disagreements,
        programs_begun_and_ended_in_time: totals.programs,
      },
      targets: {
        violations: { is: 0 },
        disagreements: { is: 0 },
        programs_begun_and_ended_in_time: { atLeast: channels },
      },
    }
  },
})
