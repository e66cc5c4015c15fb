import { setTimeout as sleep } from 'node:timers/promises'
import { median } from '@continuity/dev/figures'
import { pollUntil } from '@continuity/dev/waiting'
import { type Connections, checkWrites, countConnections, type Written } from './aftermath.ts'
import { type FaultSystem, logInTo } from './fault-system.ts'
import { type Fault, findAnswerMs, isReachable } from './faults.ts'
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
  /** Whether our own client could connect before the fault, and during it. */
  readonly reachedBefore: number
  readonly reachedDuring: number
  readonly doneBefore: number
  /** The median time of an answer before the fault. */
  readonly usualMs: number
  /** How long our own client takes to connect after the database is back, each time. */
  readonly ownConnectMs: readonly number[]
  /** The time that a busy machine may add. */
  readonly allowanceMs: number
  /** Sent and answered while the database was gone. */
  readonly putOffDuring: number
  readonly doneDuring: number
  readonly doneAfter: number
  /** Answers that are neither right nor 503 with Retry-After, or 503 while the database was available. */
  readonly wrong: readonly string[]
  readonly ofAnotherAccount: number
  readonly slowestMs: number
  /** From the database's return to the first right answer, and to the last 503 of a request that was sent after it. */
  readonly recoveredMs: number
  readonly lastPutOffMs: number
  readonly liveProbes: number
  readonly liveWrong: number
  readonly liveSlowestMs: number
  /** From the beginning to the first 503 of /readyz, and from the end to the first 200 of a later probe. */
  readonly unreadyMs: number
  readonly readyAgainMs: number
  readonly connections: Connections
  readonly written: Written
}

/** The longest time to recover after the database is back. */
export const RECOVERY_MS = 2_000

/**
 * The time that a busy machine may add, derived from its answer time before the fault and from what our own client,
 * which does not use the code under test, takes to connect after it: other work may begin between the two.
 */
const allowanceOf = (usualMs: number, { ownConnectMs }: Span): number =>
  10 * Math.max(usualMs, median(ownConnectMs)) + Math.max(0, ...ownConnectMs)

/** A quarter of the requests that are sent in a time. */
export const leastAnswers = ({ perSecond }: Trial, ms: number): number => Math.floor((perSecond * ms) / 4_000)

/** Puts a process under load, causes the fault, and evaluates all results. */
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
  // Also when the fault fails: a load that is not stopped would keep the process alive.
  const span = await causeFault(fault, trial, load).finally(async () => {
    await load.stop()
    await probes.stop()
  })

  const { outcomes } = load
  const headersOf = (word: string) => accounts.find((account) => account.word === word)!.headers
  return {
    ...judgeOutcomes(outcomes, span, it.words),
    reachedBefore: span.reachedBefore ? 1 : 0,
    reachedDuring: span.reachedDuring ? 1 : 0,
    ownConnectMs: span.ownConnectMs,
    ...judgeProbes(probes.live, probes.ready, span),
    connections: await countConnections(it, api),
    written: await checkWrites(it, api, headersOf, outcomes),
  }
}

/** If there are too few in time, the figures show it. */
const untilMany = (least: number, outcomes: () => readonly Outcome[]) =>
  pollUntil(() => outcomes().length > least || undefined, PATIENCE_MS)

/** Longer than a connection takes on any machine. */
const PATIENCE_MS = 30_000

async function causeFault(fault: Fault, trial: Trial, load: Load): Promise<Span> {
  const { beforeMs, faultMs, afterMs } = trial
  const reachedBefore = await isReachable(fault.databaseUrl, PATIENCE_MS)
  await sleep(beforeMs)
  // A busy machine takes longer until the load is steady.
  await untilMany(leastAnswers(trial, beforeMs), () => load.outcomes.filter(isDone))
  const beginMs = performance.now()
  await fault.begin()
  const goneMs = performance.now()
  // For most of the outage: on a busy machine, a shorter attempt would prove nothing.
  const reaching = isReachable(fault.databaseUrl, 0.7 * faultMs)
  const [reachedDuring] = await Promise.all([reaching, sleep(faultMs)])
  await untilMany(leastAnswers(trial, faultMs), () => load.outcomes.filter(({ sentMs }) => sentMs > goneMs))
  const endMs = performance.now()
  const backMs = await fault.end()
  const ownConnectMs = await measureConnects(fault.databaseUrl, afterMs)
  return { reachedBefore, reachedDuring, beginMs, goneMs, endMs, backMs, ownConnectMs }
}

/** Connects with a client of our own again and again, for that long. */
async function measureConnects(url: string, ms: number): Promise<readonly number[]> {
  const untilMs = performance.now() + ms
  const measured: number[] = []
  while (performance.now() < untilMs) {
    const startMs = performance.now()
    const answerMs = await findAnswerMs(url, PATIENCE_MS)
    if (answerMs !== undefined) measured.push(answerMs - startMs)
    await sleep(100)
  }
  return measured
}

/** The fault begins, the database is unavailable, the fault ends, and the database is available. */
interface Span {
  readonly reachedBefore: boolean
  readonly reachedDuring: boolean
  readonly beginMs: number
  readonly goneMs: number
  readonly endMs: number
  readonly backMs: number
  readonly ownConnectMs: readonly number[]
}

function judgeOutcomes(outcomes: readonly Outcome[], span: Span, words: readonly string[]) {
  const { beginMs, goneMs, endMs, backMs } = span
  const done = outcomes.filter(isDone)
  const putOff = outcomes.filter(isPutOff)
  const before = done.filter(({ endedMs }) => endedMs < beginMs)
  const usualMs = median(before.map(({ sentMs, endedMs }) => endedMs - sentMs))
  const allowanceMs = allowanceOf(usualMs, span)
  const isDuring = ({ sentMs, endedMs }: Outcome) => sentMs > goneMs && endedMs < endMs
  const wrong = outcomes.filter((outcome) => {
    if (isDone(outcome)) return false
    const isExcused = outcome.endedMs > beginMs && outcome.sentMs < backMs + RECOVERY_MS + allowanceMs
    return !(isPutOff(outcome) && isExcused)
  })
  const back = done.filter(({ endedMs }) => endedMs > backMs)
  return {
    requests: outcomes.length,
    doneBefore: before.length,
    usualMs,
    allowanceMs,
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
