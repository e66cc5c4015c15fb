import { proof } from '../proofs/proof.ts'
import { doInThreads } from './in-threads.ts'

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
    const tasks = Array.from({ length: channels }, (_, at) => ({
      name: 'channel' as const,
      seed: seed * 1_000_000 + at,
      hours,
    }))
    const { counts, faults } = await doInThreads(tasks, (done, so) =>
      say(`${done} channels, ${so.faults.length} faults`),
    )
    for (const fault of faults.slice(0, 10)) say(fault)
    return {
      figures: {
        channels,
        hours_of_each: hours,
        changes_of_timelines: counts['changes'] ?? 0,
        looks_at_three_outputs: counts['looks'] ?? 0,
        violations: counts['violations'] ?? 0,
        playlists_read_by_other_parsers: counts['parsed'] ?? 0,
        disagreements: counts['disagreements'] ?? 0,
        programs_begun_and_ended_in_time: counts['programs'] ?? 0,
        faults: faults.length,
      },
      targets: { faults: { is: 0 }, programs_begun_and_ended_in_time: { atLeast: channels } },
    }
  },
})
