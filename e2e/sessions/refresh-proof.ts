import { round } from '../../tools/figures/figures.ts'
import { proof } from '../proofs/proof.ts'
import { reuseWhileCutOff, reuseWithoutNats } from './deaf-processes.ts'
import { askLateProcess } from './late-process.ts'
import { findLoggedSecrets } from './logged-secrets.ts'
import { openSessions } from './open-sessions.ts'
import { raceRefreshes } from './refresh-races.ts'
import { openRefreshed, presentInGrace, type Reuse, reuseAll } from './reuse.ts'
import { startSessionSystem } from './session-system.ts'

export const refreshes = proof({
  name: 'refresh',
  title: 'Refreshes that race, and credentials that are used twice',
  promise:
    'Two API processes. A refresh credential that is presented five times at once, to both, gives one and the same ' +
    'successor, to the letter. For ten seconds it gives that again; presented after them it ends its session, and the ' +
    "session's access credentials are refused by every process within a second, and by a process that is started " +
    'later from its first answer on. While NATS stands still the other process learns it from the table. A process ' +
    'that was cut off from NATS learns what it missed when it is back. The clock is steered; the times are real ones.',
  sizes: {
    small: { races: 40, reuses: 10, deaf: 3 },
    full: { races: 2_000, reuses: 200, deaf: 20 },
  },
  async run({ size, say }) {
    await using opened = new AsyncDisposableStack()
    const it = await startSessionSystem(opened)
    const races = await raceRefreshes(it, size.races)
    say(`${races.answers} refreshes in ${size.races} races`)

    const [good] = await openSessions(it, 1)
    const refreshed = await openRefreshed(it, size.reuses + 3 * size.deaf)
    const sameInGrace = await presentInGrace(it, refreshed)
    await it.clock.order({ kind: 'advance', byMs: 1 })
    const take = (count: number) => refreshed.splice(0, count)
    const ended = take(size.reuses)
    const reuses = await reuseAll(it, ended)
    say(`${reuses.length} credentials used twice, known everywhere after ${worst(reuses)} ms at most`)
    const late = await askLateProcess(
      it,
      ended.flatMap(({ old, successor }) => [old, successor]),
      good!,
    )
    say('a process that was started later was asked')
    const withoutNats = await reuseWithoutNats(it, take(size.deaf))
    say(`while NATS stood still, known after ${worst(withoutNats)} ms at most`)
    const cutOff = await reuseWhileCutOff(it, take(size.deaf), take(size.deaf))
    const logged = await findLoggedSecrets(
      it,
      ended.flatMap(({ old, successor }) => [old.token.token_refresh, successor.token.token_refresh]),
    )

    const all = [...reuses, ...withoutNats, ...cutOff.afterwards]
    const lateAnswers = [...late.statuses].reduce((sum, [, times]) => sum + times, 0)
    return {
      figures: {
        races: size.races,
        refreshes_that_raced: races.answers,
        answers_other_than_200: races.otherThan200,
        races_with_one_successor: races.successors.filter((count) => count === 1).length,
        races_with_one_replacement_in_the_table: races.replacedOnce,
        successors_that_work: races.usable,
        same_successor_9999_ms_later: sameInGrace,
        reuses_after_10000_ms: all.length,
        reuses_answered_401: all.filter(({ status }) => status === 401).length,
        successors_that_outlived_it: all.filter(({ successorStatus }) => successorStatus !== 401).length,
        known_by_both_processes_ms: worst(reuses),
        answers_of_a_later_process: lateAnswers,
        of_them_neither_401_nor_503:
          lateAnswers - (late.statuses.get(401) ?? 0) - (late.statuses.get(503) ?? 0),
        good_credential_there: late.goodStatus,
        nats_stopped_known_by_the_first_process_ms: worst(withoutNats, 0),
        nats_stopped_known_by_both_processes_ms: worst(withoutNats),
        ends_missed_by_a_process_cut_off: cutOff.missed,
        known_there_after_its_line_was_mended_ms: round(cutOff.missedKnownMs, 0),
        ends_after_that_known_there_ms: worst(cutOff.afterwards),
        log_lines: logged.lines,
        logs_with_a_credential: logged.found.length,
      },
      targets: {
        refreshes_that_raced: { is: 5 * size.races },
        answers_other_than_200: { is: 0 },
        races_with_one_successor: { is: size.races },
        races_with_one_replacement_in_the_table: { is: size.races },
        successors_that_work: { is: size.races },
        same_successor_9999_ms_later: { is: size.reuses + 3 * size.deaf },
        reuses_answered_401: { is: all.length },
        successors_that_outlived_it: { is: 0 },
        known_by_both_processes_ms: { atMost: 1_000 },
        answers_of_a_later_process: { atLeast: 2 * size.reuses },
        of_them_neither_401_nor_503: { is: 0 },
        good_credential_there: { is: 200 },
        nats_stopped_known_by_the_first_process_ms: { atMost: 1_000 },
        known_there_after_its_line_was_mended_ms: { atMost: 2_000 },
        ends_after_that_known_there_ms: { atMost: 1_000 },
        logs_with_a_credential: { is: 0 },
      },
    }
  },
})

/** The longest that a process took to know it: all of them, or the one with that number. */
function worst(reuses: readonly Reuse[], process?: number): number {
  const times = reuses.flatMap(({ knownMs }) => (process === undefined ? knownMs : [knownMs[process]!]))
  return round(Math.max(...times), 1)
}
