import { proof } from '../proofs/proof.ts'
import { doInThreads } from './in-threads.ts'

interface Walk {
  readonly channels: number
  readonly hours: number
}

export const channelWalk = proof<Walk>({
  name: 'channel-walk',
  title: 'Channels over days, read by a playlist validator',
  promise:
    'Channels run for days of simulated time, with programs of half an hour and random commands, and plan hours ahead. A ' +
    'playlist exists whenever the commands put the channel on the air. The playlist validator reads three outputs of ' +
    'each channel every few seconds and checks every rule; two other parsers read every fiftieth playlist, ' +
    'one of them strictly, and find the same in it. In the end every playlist is rendered once more, and is the same.',
  watches: ['packages/core/src', 'e2e/channel-rules', 'e2e/playlist-validator'],
  sabotage: {
    title:
      'EXT-X-DISCONTINUITY-SEQUENCE leaves out the discontinuities within a looped slate or a live source',
    changes: [
      {
        file: 'packages/core/src/timeline/window.ts',
        from: 'discontinuitiesWithin(span, from, live)',
        to: 'discontinuitiesWithin(span, 0, live)',
      },
    ],
    missed: ['violations'],
  },
  sizes: { small: { channels: 3, hours: 6 }, full: { channels: 100, hours: 72 } },
  async run({ size: { channels, hours }, seed, log }) {
    const tasks = Array.from({ length: channels }, (_, at) => ({
      name: 'channel' as const,
      seed: seed * 1_000_000 + at,
      hours,
    }))
    const { counts, faults } = await doInThreads(tasks, (done, so) =>
      log(`${done} channels, ${so.faults.length} faults`),
    )
    for (const fault of faults.slice(0, 10)) log(fault)
    const count = (name: string) => counts[name] ?? 0
    const channelHours = channels * hours
    return {
      figures: {
        channels: count('played'),
        hours_of_each: hours,
        changes_of_timelines: count('changes'),
        playlists: count('playlists'),
        playlists_that_were_due: count('due'),
        wrongly_on_or_off_air: count('wrongStates'),
        delta_updates: count('deltas'),
        segments_listed: count('segments'),
        discontinuities_listed: count('discontinuities'),
        ad_breaks_listed: count('breaks'),
        scte35_sections_read_by_another_decoder: count('sections'),
        violations: count('violations'),
        playlists_read_by_other_parsers: count('parsed'),
        disagreements: count('disagreements'),
        playlists_rendered_again: count('renderedAgain'),
        programs_begun_and_ended_in_time: count('programsInTime'),
        faults: faults.length,
      },
      // Minimums are a third to a half of the values measured per channel hour.
      targets: {
        channels: { is: channels },
        changes_of_timelines: { atLeast: 2 * channelHours },
        playlists: { atLeast: 1_000 * channelHours },
        playlists_that_were_due: { atLeast: 1_000 * channelHours },
        wrongly_on_or_off_air: { is: 0 },
        delta_updates: { atLeast: 300 * channelHours },
        segments_listed: { atLeast: 500 * channelHours },
        discontinuities_listed: { atLeast: 30 * channelHours },
        ad_breaks_listed: { atLeast: channelHours },
        scte35_sections_read_by_another_decoder: { atLeast: 2 * channelHours },
        violations: { is: 0 },
        playlists_read_by_other_parsers: { atLeast: 20 * channelHours },
        disagreements: { is: 0 },
        playlists_rendered_again: { atLeast: 400 * channelHours },
        programs_begun_and_ended_in_time: { atLeast: 0.2 * channelHours },
        faults: { is: 0 },
      },
    }
  },
})
