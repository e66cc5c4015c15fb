import { judge, round } from '../../tools/figures/figures.ts'
import { proof } from '../proofs/proof.ts'
import { reuseWhileCutOff, reuseWithoutNats } from './isolated-processes.ts'
import { callLateProcess } from './late-process.ts'
import { findLoggedSecrets } from './logged-secrets.ts'
import { openSessions } from './open-sessions.ts'
import { raceRefreshes } from './refresh-races.ts'
import { openRefreshed, presentInGrace, type Reuse, reuseAll, timeReads } from './reuse.ts'
import { startSessionSystem } from './session-system.ts'

export const refreshes = proof({
  name: 'refresh',
  title: 'Concurrent refreshes, and refresh credentials that are used twice',
  promise:
    'Two API processes. A refresh credential that is presented five times at once, to both, gives one and the same ' +
    'successor, to the byte. For ten seconds it gives that again; presented later it ends its session, and the ' +
    "session's access credentials are rejected by every process within a second, and by a process that is started " +
    'later from its first answer on. While NATS is stopped the other process learns it from the table. A process ' +
    'that was cut off from NATS learns what it missed when it is back. The clock is controlled by the proof; the ' +
    'times are real ones, and longer ones are allowed where a plain read takes more than 10 ms.',
  watches: [
    'packages/core/src/sessions',
    'packages/server/src/modules/auth',
    'packages/server/src/platform/bus/bus.ts',
    'e2e/sessions',
  ],
  sabotage: {
    title: 'the grace of ten seconds for a refresh whose answer was lost is gone',
    changes: [
      {
        file: 'packages/core/src/sessions/decide-refresh.ts',
        from: 'nowMs < session.replacedMs + GRACE_MS',
        to: 'nowMs < session.replacedMs',
      },
    ],
    missed: ['answers_other_than_200', 'successors_that_work', 'same_successor_9999_ms_later'],
  },
  sizes: {
    small: { races: 10, reuses: 4, isolated: 1, readMs: Number.POSITIVE_INFINITY },
    // On a quiet machine: slow reads must not extend the other times.
    full: { races: 2_000, reuses: 200, isolated: 20, readMs: 10 },
  },
  async run({ size, log }) {
    await using opened = new AsyncDisposableStack()
    const it = await startSessionSystem(opened)
    const races = await raceRefreshes(it, size.races)
    log(`${races.answers} refreshes in ${size.races} races, ${races.otherThan200} of them not answered 200`)

    const [good] = await openSessions(it, 1)
    const refreshed = await openRefreshed(it, size.reuses + 3 * size.isolated)
    const sameInGrace = await presentInGrace(it, refreshed)
    const atOnce = {
      figures: {
        refreshes_that_raced: races.answers,
        races_sent_at_once: races.atOnce,
        answers_other_than_200: races.otherThan200,
        races_with_one_successor: races.successors.filter((count) => count === 1).length,
        races_with_one_replacement_in_the_table: races.replacedOnce,
        successors_that_work: races.usable,
        same_successor_9999_ms_later: sameInGrace,
      },
      targets: {
        refreshes_that_raced: { is: 5 * size.races },
        races_sent_at_once: { is: size.races },
        answers_other_than_200: { is: 0 },
        races_with_one_successor: { is: size.races },
        races_with_one_replacement_in_the_table: { is: size.races },
        successors_that_work: { is: size.races },
        same_successor_9999_ms_later: { is: size.reuses + 3 * size.isolated },
      },
    }
    // The next parts need sessions that can be refreshed.
    if (!judge(atOnce).pass) return atOnce
    await it.clock.steer({ kind: 'advance', byMs: 1 })
    const take = (count: number) => refreshed.splice(0, count)
    const ended = take(size.reuses)
    const reuses = await reuseAll(it, ended)
    const readMs = await timeReads(it, good!)
    log(`${reuses.length} credentials used twice, known everywhere after ${worst(reuses)} ms at most`)
    const late = await callLateProcess(
      it,
      ended.flatMap(({ old, successor }) => [old, successor]),
      good!,
    )
    log('a process that was started later was called')
    const withoutNats = await reuseWithoutNats(it, take(size.isolated))
    log(`while NATS was stopped, known after ${worst(withoutNats.reuses)} ms at most`)
    const cutOff = await reuseWhileCutOff(it, take(size.isolated), take(size.isolated))
    const logged = await findLoggedSecrets(
      it,
      ended.flatMap(({ old, successor }) => [old.token.token_refresh, successor.token.token_refresh]),
    )
    for (const file of logged.found) log(`${file} contains a credential`)

    const all = [...reuses, ...withoutNats.reuses, ...cutOff.afterwards]
    const lateAnswers = [...late.statuses].reduce((sum, [, times]) => sum + times, 0)
    const secondsMs = (seconds: number) => ({ atMost: round(seconds * Math.max(1_000, 100 * readMs), 0) })
    return {
      figures: {
        ...atOnce.figures,
        plain_read_median_ms: round(readMs, 1),
        reuses_answered_401: all.filter(({ status }) => status === 401).length,
        successors_still_valid: all.filter(({ successorStatus }) => successorStatus !== 401).length,
        known_by_both_processes_ms: worst(reuses),
        answers_of_a_later_process: lateAnswers,
        of_them_401: late.statuses.get(401) ?? 0,
        of_them_neither_401_nor_503:
          lateAnswers - (late.statuses.get(401) ?? 0) - (late.statuses.get(503) ?? 0),
        valid_credential_at_the_later_process: late.goodStatus,
        nats_was_stopped: withoutNats.isStopped ? 1 : 0,
        nats_stopped_known_by_the_first_process_ms: worst(withoutNats.reuses, 0),
        nats_stopped_known_by_both_processes_ms: worst(withoutNats.reuses),
        ends_missed_by_a_process_cut_off: cutOff.missed,
        known_there_after_reconnecting_ms: round(cutOff.missedKnownMs, 0),
        ends_after_that_known_there_ms: worst(cutOff.afterwards),
        log_lines: logged.lines,
        credentials_searched_for: logged.sought,
        logs_with_a_credential: logged.found.length,
      },
      targets: {
        ...atOnce.targets,
        plain_read_median_ms: { atMost: size.readMs },
        reuses_answered_401: { is: size.reuses + 2 * size.isolated },
        successors_still_valid: { is: 0 },
        known_by_both_processes_ms: secondsMs(1),
        of_them_401: { atLeast: 2 * size.reuses },
        of_them_neither_401_nor_503: { is: 0 },
        valid_credential_at_the_later_process: { is: 200 },
        nats_was_stopped: { is: 1 },
        nats_stopped_known_by_the_first_process_ms: secondsMs(1),
        // The table is read every five seconds.
        nats_stopped_known_by_both_processes_ms: secondsMs(10),
        ends_missed_by_a_process_cut_off: { is: size.isolated },
        known_there_after_reconnecting_ms: secondsMs(2),
        ends_after_that_known_there_ms: secondsMs(1),
        log_lines: { atLeast: 10 * size.races },
        credentials_searched_for: { atLeast: 2 * size.reuses },
        logs_with_a_credential: { is: 0 },
      },
    }
  },
})

/** The longest time until a process rejected the credentials: of all processes, or of the one with that index. */
function worst(reuses: readonly Reuse[], process?: number): number {
  const times = reuses.flatMap(({ knownMs }) => (process === undefined ? knownMs : [knownMs[process]!]))
  return round(Math.max(...times), 1)
}
