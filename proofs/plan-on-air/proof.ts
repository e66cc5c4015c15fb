import { proof } from '../proof.ts'
import { editKinds } from './edits.ts'
import { playPlan } from './play-plan.ts'

interface Size {
  readonly days: number
}

export const planOnAir = proof<Size>({
  name: 'plan-on-air',
  title: 'A channel that plays by its rules for a month',
  promise:
    'A channel has rules over a catalog and nothing else. A driven clock takes it through a month, with the clock change of ' +
    'March, while people change its rules, place, move and cancel programs, delete videos and add new ones, and the jobs of ' +
    'the control room run on a real database. A playout node in the same process serves its playlist, which a validator ' +
    'reads every few seconds: it finds nothing. Each segment of the as-run record is the one that playlists listed; every ' +
    'program aired once, at the time at which the schedule last announced it; the guide lists the same programs as the ' +
    'schedule; breaks keep their length and their number in an hour; no video that rules chose is repeated within three hours, ' +
    'except by a replay.',
  sizes: { small: { days: 0.5 }, full: { days: 30 } },
  async run({ size: { days }, seed, log }) {
    const played = await playPlan(seed, days, log)
    const { counts, faults } = played.aired
    for (const violation of played.violations.slice(0, 10)) log(violation)
    log(`edits: ${JSON.stringify(played.edits)}; open alerts: ${played.openAlerts.join(', ') || 'none'}`)
    return {
      figures: {
        days,
        edits: Object.values(played.edits).reduce((sum, count) => sum + count, 0),
        kinds_of_edits: Object.keys(played.edits).length,
        playlists: played.playlists,
        times_without_a_playlist: played.withoutPlaylist,
        violations: played.violations.length,
        segments_listed: played.segments,
        segments_that_changed: played.changedSegments.length,
        segments_compared_with_the_record: counts.comparedSegments,
        segments_of_another_video: faults.segments.length,
        gaps_in_the_record: faults.gaps.length,
        programs_aired: counts.programs,
        programs_unlike_announced: faults.unlike.length,
        hours_of_programs: Math.round(counts.programMinutes / 60),
        programs_compared_with_guides: played.guidePrograms,
        differences_between_guide_and_schedule: played.guideFaults.length,
        breaks_aired: counts.breaks,
        breaks_against_the_policy: faults.breaks.length,
        videos_aired_again: counts.repeatedVideos,
        repeats_within_the_separation: faults.repeats.length,
      },
      // Minimums are about half of what was measured.
      targets: {
        edits: { atLeast: 8 * days },
        kinds_of_edits: { atLeast: days < 5 ? 3 : editKinds.length },
        playlists: { atLeast: 12_000 * days },
        times_without_a_playlist: { is: 0 },
        violations: { is: 0 },
        segments_listed: { atLeast: 24_000 * days },
        segments_that_changed: { is: 0 },
        segments_compared_with_the_record: { atLeast: 12_000 * days },
        segments_of_another_video: { is: 0 },
        gaps_in_the_record: { is: 0 },
        programs_aired: { atLeast: 12 * days },
        programs_unlike_announced: { is: 0 },
        hours_of_programs: { atLeast: 14 * days },
        programs_compared_with_guides: { atLeast: 100 * days },
        differences_between_guide_and_schedule: { is: 0 },
        breaks_aired: { atLeast: 10 * days },
        breaks_against_the_policy: { is: 0 },
        videos_aired_again: { atLeast: days < 5 ? 0 : 5 * days },
        repeats_within_the_separation: { is: 0 },
      },
    }
  },
})
