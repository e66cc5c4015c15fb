import type { Measured } from '@continuity/dev/figures'
import { round } from '@continuity/dev/figures'
import { seededRandom } from '@continuity/dev/seeded-random'
import { proof } from '../proof.ts'
import { CONNECTIONS, startFaultSystem } from './fault-system.ts'
import { aClosedPort, aCrash, aPause, aRestart, aSilence } from './faults.ts'
import { leastAnswers, RECOVERY_MS, type Trial, type Tried, tryFault } from './try-fault.ts'

/** The deadline of a process as we ship it. */
const DEADLINE_MS = 10_000

export const databaseFaults = proof({
  name: 'database-faults',
  title: 'Outages of the database',
  promise:
    'An API process under a steady load of two accounts, reads and writes alike. PostgreSQL is restarted, crashes, ' +
    'is stopped, closes its port, or is cut off silently for 5 s or longer. While it is unavailable every ' +
    'request is answered with 503 and Retry-After before its deadline of 10 s: nothing hangs and nothing is a 500. ' +
    'Within 2 s of its return requests are answered again, and none that is sent then gets a 503. No answer is ever ' +
    'of the other account. What was answered with success is stored; what was not is carried out once when it is sent again with ' +
    'its Idempotency-Key. No connection is left in a transaction or beyond the limit. /livez answers all the while, ' +
    '/readyz returns 503 and later 200. For a busy machine, the times allow ten times the median of an answer before ' +
    'the outage, or of a connection of another client after it, and the longest of those connections; at full size ' +
    'not more than 1.5 s.',
  sizes: {
    small: {
      perSecond: 24,
      beforeMs: 500,
      afterMs: RECOVERY_MS + 500,
      restartMs: 500,
      pauseMs: 3_000,
      closedPortMs: 1_000,
      // A running query is aborted after six seconds, and keeps its connection until then.
      silenceMs: 5_000,
      mostAllowedMs: Number.POSITIVE_INFINITY,
    },
    full: {
      perSecond: 100,
      beforeMs: 5_000,
      afterMs: 10_000,
      restartMs: 5_000,
      pauseMs: 30_000,
      closedPortMs: 30_000,
      silenceMs: 30_000,
      // On a quiet machine: a process that floods the server must not extend its own limits.
      mostAllowedMs: 1_500,
    },
  },
  async run({ size, seed, log }) {
    await using opened = new AsyncDisposableStack()
    const it = await startFaultSystem(opened)
    const { perSecond, beforeMs, afterMs, mostAllowedMs } = size
    const random = seededRandom(seed)
    const faults = [
      [aRestart(it), size.restartMs],
      [aCrash(it), size.restartMs],
      [aPause(it), size.pauseMs],
      [await aClosedPort(it, opened), size.closedPortMs],
      [await aSilence(it, opened), size.silenceMs],
    ] as const
    const parts: Measured[] = []
    for (const [index, [fault, faultMs]] of faults.entries()) {
      // Each fault has its own range of numbers.
      const trial = { faultMs, perSecond, beforeMs, afterMs, random, firstNumber: index * 100_000 }
      const tried = await tryFault(it, fault, trial)
      log(
        `${fault.name}: back after ${round(tried.recoveredMs, 0)} ms, last 503 at ${round(tried.lastPutOffMs, 0)} ms`,
      )
      for (const line of tried.wrong.slice(0, 5)) log(line)
      parts.push(measure(fault.name, tried, trial, mostAllowedMs))
      // So many wrong answers would recur with the next fault.
      if (tried.wrong.length >= WRONG_ENOUGH) break
    }
    return {
      figures: Object.assign({}, ...parts.map(({ figures }) => figures)) as Measured['figures'],
      targets: Object.assign({}, ...parts.map(({ targets }) => targets)) as Measured['targets'],
    }
  },
})

const WRONG_ENOUGH = 20

function measure(name: string, tried: Tried, trial: Trial, mostAllowedMs: number): Measured {
  const { connections, written } = tried
  const { beforeMs, faultMs, afterMs } = trial
  const shareOf = (ms: number) => leastAnswers(trial, ms)
  const within = (ms: number) => ({ atMost: round(ms + tried.allowanceMs, 0) })
  const figures = {
    requests: tried.requests,
    reached_by_another_client_before: tried.reachedBefore,
    reached_by_another_client_while_gone: tried.reachedDuring,
    usual_answer_median_ms: round(tried.usualMs, 1),
    connections_of_another_client_after: tried.ownConnectMs.length,
    longest_connection_of_another_client_ms: round(Math.max(0, ...tried.ownConnectMs), 1),
    allowed_for_a_busy_machine_ms: round(tried.allowanceMs, 0),
    done_before: tried.doneBefore,
    answered_503_while_gone: tried.putOffDuring,
    done_while_gone: tried.doneDuring,
    done_after: tried.doneAfter,
    wrong_answers: tried.wrong.length,
    answers_of_another_account: tried.ofAnotherAccount,
    slowest_answer_ms: round(tried.slowestMs, 0),
    first_right_answer_after_ms: round(tried.recoveredMs, 0),
    last_503_to_a_later_request_after_ms: round(tried.lastPutOffMs, 0),
    livez_requests: tried.liveProbes,
    livez_not_200: tried.liveWrong,
    livez_slowest_ms: round(tried.liveSlowestMs, 0),
    readyz_503_after_ms: round(tried.unreadyMs, 0),
    readyz_200_after_ms: round(tried.readyAgainMs, 0),
    connections_in_transaction: connections.inTransaction,
    connections: connections.atServer,
    connections_unknown_to_the_process: connections.atServer - connections.atProcess,
    writes_acknowledged: written.acknowledged,
    writes_lost: written.lost,
    writes_repeated: written.repeated,
    writes_not_done_when_repeated: written.notDone,
    writes_done_twice: written.twice,
  }
  const targets: Measured['targets'] = {
    reached_by_another_client_before: { is: 1 },
    reached_by_another_client_while_gone: { is: 0 },
    connections_of_another_client_after: { atLeast: 2 },
    allowed_for_a_busy_machine_ms: { atMost: mostAllowedMs },
    done_before: { atLeast: shareOf(beforeMs) },
    answered_503_while_gone: { atLeast: shareOf(faultMs) },
    done_while_gone: { is: 0 },
    done_after: { atLeast: shareOf(afterMs) },
    wrong_answers: { is: 0 },
    answers_of_another_account: { is: 0 },
    slowest_answer_ms: within(DEADLINE_MS + 500),
    first_right_answer_after_ms: within(RECOVERY_MS),
    last_503_to_a_later_request_after_ms: within(RECOVERY_MS),
    livez_requests: { atLeast: 5 },
    livez_not_200: { is: 0 },
    readyz_503_after_ms: within(DEADLINE_MS),
    readyz_200_after_ms: within(DEADLINE_MS),
    connections_in_transaction: { is: 0 },
    connections: { atMost: CONNECTIONS },
    connections_unknown_to_the_process: { is: 0 },
    writes_acknowledged: { atLeast: shareOf(beforeMs + afterMs) / 2 },
    writes_lost: { is: 0 },
    writes_repeated: { atLeast: 1 },
    writes_not_done_when_repeated: { is: 0 },
    writes_done_twice: { is: 0 },
  }
  return { figures: prefixed(name, figures), targets: prefixed(name, targets) }
}

const prefixed = <T>(prefix: string, values: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}_${name}`, value]))
