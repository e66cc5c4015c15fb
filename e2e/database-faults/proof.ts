import type { Measured } from '../../tools/figures/figures.ts'
import { round } from '../../tools/figures/figures.ts'
import { proof } from '../proofs/proof.ts'
import { seededRandom } from '../rolling-restart/seeded-random.ts'
import { CONNECTIONS, startFaultSystem } from './fault-system.ts'
import { aCrash, aPause, aRefusal, aRestart, aSilence } from './faults.ts'
import { RECOVERY_MS, type Tried, tryFault } from './try-fault.ts'

/** The deadline of a process as we ship it, and what a busy machine may add to it. */
const ANSWERED_MS = 10_000 + 500

export const databaseFaults = proof({
  name: 'database-faults',
  title: 'The database goes and comes back',
  promise:
    'An API process under a steady load of two accounts, reads and writes alike. PostgreSQL is restarted, crashes, ' +
    'stands still, refuses connections, or is cut off without a word. While it is gone every request is answered ' +
    'with 503 and Retry-After before its deadline of 10 s: nothing hangs and nothing is a 500. Within 2 s of its ' +
    'return requests are answered again, and none is 503 any more. No answer is ever of the other account. What ' +
    'was answered with success is there; what was not is carried out once when it is sent again under its ' +
    'Idempotency-Key. No connection is left in a transaction or beyond the limit. /livez answers all the while, ' +
    '/readyz says 503 and later 200.',
  sizes: {
    small: {
      perSecond: 50,
      beforeMs: 500,
      afterMs: RECOVERY_MS + 500,
      restartMs: 500,
      pauseMs: 3_000,
      refusalMs: 2_000,
      silenceMs: 5_000,
    },
    full: {
      perSecond: 100,
      beforeMs: 5_000,
      afterMs: 10_000,
      restartMs: 5_000,
      pauseMs: 30_000,
      refusalMs: 30_000,
      silenceMs: 30_000,
    },
  },
  async run({ size, seed, say }) {
    await using opened = new AsyncDisposableStack()
    const it = await startFaultSystem(opened)
    const { perSecond, beforeMs, afterMs } = size
    const random = seededRandom(seed)
    const faults = [
      [aRestart(it), size.restartMs],
      [aCrash(it), size.restartMs],
      [aPause(it), size.pauseMs],
      [await aRefusal(it, opened), size.refusalMs],
      [await aSilence(it, opened), size.silenceMs],
    ] as const
    const parts: Measured[] = []
    for (const [index, [fault, faultMs]] of faults.entries()) {
      // Numbers of one fault are not those of the next.
      const trial = { faultMs, perSecond, beforeMs, afterMs, random, firstNumber: index * 100_000 }
      const tried = await tryFault(it, fault, trial)
      say(
        `${fault.name}: back after ${round(tried.recoveredMs, 0)} ms, last 503 at ${round(tried.lastPutOffMs, 0)} ms`,
      )
      for (const line of tried.wrong.slice(0, 5)) say(line)
      parts.push(measure(fault.name, tried))
    }
    return {
      figures: Object.assign({}, ...parts.map(({ figures }) => figures)) as Measured['figures'],
      targets: Object.assign({}, ...parts.map(({ targets }) => targets)) as Measured['targets'],
    }
  },
})

function measure(name: string, tried: Tried): Measured {
  const { connections, written } = tried
  const figures = {
    requests: tried.requests,
    done_before: tried.doneBefore,
    answered_503_while_gone: tried.putOffDuring,
    done_while_gone: tried.doneDuring,
    done_after: tried.doneAfter,
    wrong_answers: tried.wrong.length,
    answers_of_another_account: tried.ofAnotherAccount,
    slowest_answer_ms: round(tried.slowestMs, 0),
    first_right_answer_after_ms: round(tried.recoveredMs, 0),
    last_503_after_ms: round(tried.lastPutOffMs, 0),
    livez_not_200: tried.liveWrong,
    livez_slowest_ms: round(tried.liveSlowestMs, 0),
    readyz_503_after_ms: round(tried.unreadyMs, 0),
    readyz_200_after_ms: round(tried.readyAgainMs, 0),
    connections_in_transaction: connections.inTransaction,
    connections: connections.atServer,
    connections_that_only_the_server_knows: connections.atServer - connections.atProcess,
    writes_acknowledged: written.acknowledged,
    writes_lost: written.lost,
    writes_repeated: written.repeated,
    writes_not_done_when_repeated: written.notDone,
    writes_done_twice: written.twice,
  }
  const targets: Measured['targets'] = {
    done_before: { atLeast: 1 },
    answered_503_while_gone: { atLeast: 1 },
    done_while_gone: { is: 0 },
    done_after: { atLeast: 1 },
    wrong_answers: { is: 0 },
    answers_of_another_account: { is: 0 },
    slowest_answer_ms: { atMost: ANSWERED_MS },
    first_right_answer_after_ms: { atMost: RECOVERY_MS },
    last_503_after_ms: { atMost: RECOVERY_MS },
    livez_not_200: { is: 0 },
    readyz_503_after_ms: { atMost: ANSWERED_MS },
    readyz_200_after_ms: { atMost: ANSWERED_MS },
    connections_in_transaction: { is: 0 },
    connections: { atMost: CONNECTIONS },
    connections_that_only_the_server_knows: { is: 0 },
    writes_acknowledged: { atLeast: 1 },
    writes_lost: { is: 0 },
    writes_not_done_when_repeated: { is: 0 },
    writes_done_twice: { is: 0 },
  }
  return { figures: prefixed(name, figures), targets: prefixed(name, targets) }
}

const prefixed = <T>(prefix: string, values: Readonly<Record<string, T>>): Record<string, T> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}_${name}`, value]))
