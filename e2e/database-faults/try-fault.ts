import { setTimeout as sleep } from 'node:timers/promises'
import { pollUntil } from '../../tools/dev-stack/waiting.ts'
import { median } from '../../tools/figures/figures.ts'
import { type Connections, checkWrites, countConnections, type Written } from './aftermath.ts'
import { type FaultSystem, logInTo } from './fault-system.ts'
import { type Fault, isReachable } from './faults.ts'
import { type Load, startLoad } from './load.ts'
import { type Probe, startProbes } from './probes.ts'
import { isDone, isOwn, isPutOff, type Outcome } from './send.ts'

export interface Trial {
  readonly faultMs: number
  readonly perSecond: number
  /** How long the load lasts before the fault, and after the database is back. */
  readonly beforeMs: number
  readonly afterMs: number
  readonly random: () => number
  readonly firstNumber: number
}

export interface Tried {
  readonly requests: number
  /** Connections of our own that the database answered before the fault, and while it was gone. */
  readonly reachedBefore: number
  readonly reachedDuring: number
  readonly doneBefore: number
  /** The median time of an answer before the fault: what this machine needs. */
  readonly usualMs: number
  /** Sent and answered while the database was gone. */
  readonly putOffDuring: number
  readonly doneDuring: number
  readonly doneAfter: number
  /** Answers that are neither right nor 503 with Retry-After, or 503 while the database was there. */
  readonly wrong: readonly string[]
  readonly ofAnotherAccount: number
  readonly slowestMs: number
  /** From the database's return to the first right answer, and to the last 503 of a request that was sent after it. */
  readonly recoveredMs: number
  readonly lastPutOffMs: number
  readonly liveProbes: number
  readonly liveWrong: number
  readonly liveSlowestMs: number
  /** From the beginning to the first 503 of /readyz, and from the end to the first 200 that was asked for then. */
  readonly unreadyMs: number
  readonly readyAgainMs: number
  readonly connections: Connections
  readonly written: Written
}

/** The longest that it may take to be as before, once the database is back. */
export const RECOVERY_MS = 2_000

/** What a busy machine may add to a time, by what a usual answer takes on it. */
export const allowanceMs = (usualMs: number): number => 10 * usualMs

/** A quarter of what is sent in a time: less is no steady load. */
export const leastAnswers = ({ perSecond }: Trial, ms: number): number => Math.floor((perSecond * ms) / 4_000)

/** Puts a process under load, lets the fault happen to its database, and looks at all that became of it. */
export async function tryFault(it: FaultSystem, fault: Fault, trial: Trial): Promise<Tried> {
  await using api = await it.startApi(fault.name, fault.databaseUrl)
  const accounts = await Promise.all(
    it.words.map(async (word) => ({
      word,
      channels: [],
      unchanged: [],
      headers: await logInTo(api.baseUrl, word),
    })),
  )
  const probes = startProbes(api.baseUrl)
  const load = startLoad({ api, accounts, ...trial })
  // Also where a fault does not happen as it should: a load without an end would keep the process.
  const span = await happen(fault, trial, load).finally(async () => {
    await load.stop()
    await probes.stop()
  })

  const { outcomes } = load
  const headersOf = (word: string) => accounts.find((account) => account.word === word)!.headers
  return {
    ...judgeOutcomes(outcomes, span, it.words),
    reachedBefore: span.reachedBefore ? 1 : 0,
    reachedDuring: span.reachedDuring ? 1 : 0,
    ...judgeProbes(probes.live, probes.ready, span),
    connections: await countConnections(it, api),
    written: await checkWrites(it, api, headersOf, outcomes),
  }
}

/** Where there are not so many in time, the figures show it. */
const untilMany = (least: number, outcomes: () => readonly Outcome[]) =>
  pollUntil(() => outcomes().length > least || undefined, PATIENCE_MS)

/** More than a connection takes on any machine. */
const PATIENCE_MS = 30_000

async function happen(fault: Fault, trial: Trial, load: Load): Promise<Span> {
  const { beforeMs, faultMs, afterMs } = trial
  const reachedBefore = await isReachable(fault.databaseUrl, PATIENCE_MS)
  await sleep(beforeMs)
  // A busy machine takes longer until the load is steady.
  await untilMany(leastAnswers(trial, beforeMs), () => load.outcomes.filter(isDone))
  const beginMs = performance.now()
  await fault.begin()
  const goneMs = performance.now()
  // For most of the time that it is gone: on a busy machine, less would say nothing.
  const reaching = isReachable(fault.databaseUrl, 0.7 * faultMs)
  const [reachedDuring] = await Promise.all([reaching, sleep(faultMs)])
  await untilMany(leastAnswers(trial, faultMs), () => load.outcomes.filter(({ sentMs }) => sentMs > goneMs))
  const endMs = performance.now()
  const backMs = await fault.end()
  await sleep(afterMs)
  return { reachedBefore, reachedDuring, beginMs, goneMs, endMs, backMs }
}

/** The database begins to go, is gone for certain, may come back, and is certainly back. */
interface Span {
  readonly reachedBefore: boolean
  readonly reachedDuring: boolean
  readonly beginMs: number
  readonly goneMs: number
  readonly endMs: number
  readonly backMs: number
}

function judgeOutcomes(outcomes: readonly Outcome[], span: Span, words: readonly string[]) {
  const { beginMs, goneMs, endMs, backMs } = span
  const done = outcomes.filter(isDone)
  const putOff = outcomes.filter(isPutOff)
  const before = done.filter(({ endedMs }) => endedMs < beginMs)
  const usualMs = median(before.map(({ sentMs, endedMs }) => endedMs - sentMs))
  const isDuring = ({ sentMs, endedMs }: Outcome) => sentMs > goneMs && endedMs < endMs
  const wrong = outcomes.filter((outcome) => {
    if (isDone(outcome)) return false
    const isExcused =
      outcome.endedMs > beginMs && outcome.sentMs < backMs + RECOVERY_MS + allowanceMs(usualMs)
    return !(isPutOff(outcome) && isExcused)
  })
  const back = done.filter(({ endedMs }) => endedMs > backMs)
  return {
    requests: outcomes.length,
    doneBefore: before.length,
    usualMs,
    putOffDuring: putOff.filter(isDuring).length,
    doneDuring: done.filter(isDuring).length,
    doneAfter: back.length,
    wrong: wrong.map(({ request, status, text, sentMs, endedMs }) =>
      [
        `${request.e.id} sent at ${Math.round(sentMs - beginMs)} ms, ended at ${Math.round(endedMs - beginMs)} ms:`,
        `${status ?? 'no answer'} ${text.slice(0, 200)}`,
      ].join(' '),
    ),
    ofAnotherAccount: outcomes.filter((outcome) => !isOwn(outcome, words)).length,
    slowestMs: Math.max(...outcomes.map(({ sentMs, endedMs }) => endedMs - sentMs)),
    recoveredMs: Math.min(...back.map(({ endedMs }) => endedMs)) - backMs,
    lastPutOffMs: Math.max(
      0,
      ...putOff.filter(({ sentMs }) => sentMs > backMs).map(({ endedMs }) => endedMs - backMs),
    ),
  }
}

function judgeProbes(live: readonly Probe[], ready: readonly Probe[], { beginMs, backMs }: Span) {
  const unready = ready.filter(({ status, endedMs }) => status === 503 && endedMs > beginMs)
  const readyAgain = ready.filter(({ status, sentMs }) => status === 200 && sentMs > backMs)
  return {
    liveProbes: live.length,
    liveWrong: live.filter(({ status }) => status !== 200).length,
    liveSlowestMs: Math.max(...live.map(({ sentMs, endedMs }) => endedMs - sentMs)),
    unreadyMs: Math.min(...unready.map(({ endedMs }) => endedMs)) - beginMs,
    readyAgainMs: Math.min(...readyAgain.map(({ endedMs }) => endedMs)) - backMs,
  }
}
