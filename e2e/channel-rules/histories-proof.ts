import { proof } from '../proofs/proof.ts'
import { doInThreads } from './in-threads.ts'

interface Histories {
  readonly histories: number
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
    'the guide tells of the programs that it has, a program that nothing is in the way of begins and ends within 0.8 s ' +
    'of its times without a hole; and the order in which programs are told changes nothing.',
  watches: ['packages/core/src', 'e2e/channel-rules', 'e2e/walker'],
  sabotage: {
    title: 'no playlist is ever rendered',
    changes: [
      {
        file: 'packages/core/src/timeline/window.ts',
        from: 'const last = findListed(timeline, ticks)\n  if (last === undefined) return undefined\n  const run',
        to: 'const last = findListed(timeline, ticks)\n  if (last !== null) return undefined\n  const run',
      },
    ],
    missed: ['looks_at_three_outputs'],
  },
  sizes: { small: { histories: 300 }, full: { histories: 20_000 } },
  async run({ size: { histories }, seed, say }) {
    // Each can be played again alone.
    const tasks = Array.from({ length: histories }, (_, at) => ({
      name: 'history' as const,
      seed: seed * 1_000_000 + at,
    }))
    const { counts, faults } = await doInThreads(tasks, (done, so) => {
      if (done % 1_000 === 0) say(`${done} histories, ${so.faults.length} faults`)
    })
    for (const fault of faults.slice(0, 10)) say(fault)
    return {
      figures: {
        histories,
        changes_of_timelines: counts['changes'] ?? 0,
        looks_at_three_outputs: counts['looks'] ?? 0,
        playlists_read_by_other_parsers: counts['parsed'] ?? 0,
        programs_begun_and_ended_in_time: counts['programs'] ?? 0,
        faults: faults.length,
      },
      targets: { faults: { is: 0 }, programs_begun_and_ended_in_time: { atLeast: histories / 2 } },
    }
  },
})
