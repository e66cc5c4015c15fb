import { proof } from '../proof.ts'
import { doInThreads } from './in-threads.ts'

interface Histories {
  readonly histories: number
}

/** Kinds of commands, as controller.ts names them. */
const COMMANDS = [
  'start',
  'stop',
  'stopAtEnd',
  'override',
  'rescue',
  'returnToSchedule',
  'replace',
  'becomeReady',
  'insertBreak',
  'endBreak',
  'cue',
]

export const channelHistories = proof<Histories>({
  name: 'channel-histories',
  title: 'Channels through random histories',
  promise:
    'A channel goes through random schedules, overrides, returns, rescues, ad breaks, stalls, replaced programs, stops ' +
    'and starts. Three nodes receive each change at a time of their own, within the 1.5 s that a change may take; one ' +
    'keeps its timeline packed, one has every span in two, all have cached what they rendered before, and now and then ' +
    'an empty one is queried as well. They return the same bytes for three outputs at every time. A playlist exists ' +
    'whenever the commands put the channel on the air, and not long after they took it off; the playlist validator finds ' +
    'no fault in any. Whatever was returned is rendered again by the final timeline; the as-run record has the very ' +
    'segments of the playlists, the guide has its programs, a program that nothing interrupts begins and ends within ' +
    '0.8 s of its times without a gap; and the sequence in which programs are listed to the planner changes nothing.',
  sizes: { small: { histories: 60 }, full: { histories: 20_000 } },
  async run({ size: { histories }, seed, log }) {
    // Each can be run again alone.
    const tasks = Array.from({ length: histories }, (_, at) => ({
      name: 'history' as const,
      seed: seed * 1_000_000 + at,
    }))
    const { counts, faults } = await doInThreads(tasks, (done, so) => {
      if (done % 1_000 === 0) log(`${done} histories, ${so.faults.length} faults`)
    })
    for (const fault of faults.slice(0, 10)) log(fault)
    const count = (name: string) => counts[name] ?? 0
    return {
      figures: {
        histories: count('played'),
        changes_of_timelines: count('changes'),
        commands_of_the_rarest_kind: Math.min(...COMMANDS.map((kind) => count(`command ${kind}`))),
        playlists: count('playlists'),
        playlists_that_were_due: count('due'),
        requests_while_off_air: count('off'),
        wrongly_on_or_off_air: count('wrongStates'),
        same_playlists_of_other_nodes: count('sameOfOtherNodes'),
        same_playlists_of_empty_nodes: count('sameOfColdNodes'),
        delta_updates: count('deltas'),
        segments_listed: count('segments'),
        discontinuities_listed: count('discontinuities'),
        ad_breaks_listed: count('breaks'),
        scte35_sections_read_by_another_decoder: count('sections'),
        playlists_read_by_other_parsers: count('parsed'),
        playlists_rendered_again: count('renderedAgain'),
        programs_in_guide: count('programsInGuide'),
        programs_begun_and_ended_in_time: count('programsInTime'),
        faults: faults.length,
      },
      // Minimums are about half of the values measured per history.
      targets: {
        histories: { is: histories },
        changes_of_timelines: { atLeast: 10 * histories },
        commands_of_the_rarest_kind: { atLeast: 0.3 * histories },
        playlists: { atLeast: 200 * histories },
        playlists_that_were_due: { atLeast: 150 * histories },
        requests_while_off_air: { atLeast: histories },
        wrongly_on_or_off_air: { is: 0 },
        same_playlists_of_other_nodes: { atLeast: 400 * histories },
        same_playlists_of_empty_nodes: { atLeast: 5 * histories },
        delta_updates: { atLeast: 50 * histories },
        segments_listed: { atLeast: 100 * histories },
        discontinuities_listed: { atLeast: 10 * histories },
        ad_breaks_listed: { atLeast: 1.5 * histories },
        scte35_sections_read_by_another_decoder: { atLeast: 3 * histories },
        playlists_read_by_other_parsers: { atLeast: 3 * histories },
        playlists_rendered_again: { atLeast: 70 * histories },
        programs_in_guide: { atLeast: 5 * histories },
        programs_begun_and_ended_in_time: { atLeast: histories / 2 },
        faults: { is: 0 },
      },
    }
  },
})
