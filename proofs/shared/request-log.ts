import type { Playhead } from './viewers.ts'

/** A request for a media playlist, as the viewer that sent it knows it. */
export interface LoggedRequest {
  readonly atMs: number
  /** The process that answered: a node that was started again is another one. */
  readonly process: string
  readonly channelId: string
  readonly distributor: string
  readonly country: string
  readonly sid: string
  /** When the multivariant playlist with this id was answered; undefined: no node has minted it for this output. */
  readonly mintedMs: number | undefined
  readonly isMonitor: boolean
  readonly shiftMs: number
  /** The state of CMCD v2 and the buffer of v1, where they were sent. */
  readonly sta: string | undefined
  readonly bl: number | undefined
  /** It was counted at most on a node that was killed before it can have written that down. */
  readonly isAtRisk: boolean
}

/** What was on the air, from the as-run record. */
export interface Aired {
  readonly channelId: string
  readonly startTicks: number
  readonly endTicks: number
  readonly programId: string | null
  readonly component: number
  readonly type: string
}

/** Sums under names such as `hour|channel|distributor|country|program|component|type|method`. */
export type Sums = Map<string, number>

const HOLD_MS = 15_000
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

interface WatchedStretch {
  readonly request: LoggedRequest
  readonly fromMs: number
  readonly toMs: number
  readonly method: string
}

export interface Evaluation {
  readonly hours: Sums
  readonly minutes: Sums
  readonly watchedMs: number
}

/**
 * Evaluates the requests by the rules of docs/interface/watching.md. No code of the product is used: sessions are composed
 * from the whole log, and each stretch is compared with the as-run record. Without requests that may be lost the result is
 * the minimum that must have been counted, with them the maximum.
 */
export function evaluateLog(
  log: readonly LoggedRequest[],
  aired: readonly Aired[],
  withRisk: boolean,
): Evaluation {
  const hours: Sums = new Map()
  const minutes: Sums = new Map()
  const add = (sums: Sums, name: string, amount: number) => sums.set(name, (sums.get(name) ?? 0) + amount)
  const airedAt = indexAired(aired)
  const record = (request: LoggedRequest, atMs: number, what: string, amount: number) => {
    const { channelId, distributor, country } = request
    const { entry } = airedAt(channelId, atMs)
    const named = `${entry?.programId ?? ''}|${entry?.component}|${entry?.type}|${what}`
    add(hours, `${atMs - (atMs % HOUR_MS)}|${channelId}|${distributor}|${country}|${named}`, amount)
    add(minutes, `${atMs - (atMs % MINUTE_MS)}|${channelId}|${distributor}|${named}`, amount)
  }
  let watchedMs = 0
  for (const session of sessionsOf(log)) {
    for (const { request, fromMs, toMs, method } of stretchesOf(session)) {
      if (request.isAtRisk && !withRisk) continue
      watchedMs += toMs - fromMs
      // Millisecond by millisecond would do as well; cut at the boundaries it is quicker.
      const behindMs = request.shiftMs + HOLD_MS
      for (let atMs = fromMs - behindMs; atMs < toMs - behindMs; ) {
        const nextMs = Math.min(
          toMs - behindMs,
          atMs - (atMs % MINUTE_MS) + MINUTE_MS,
          airedAt(request.channelId, atMs).nextMs,
        )
        record(request, atMs, method, nextMs - atMs)
        atMs = nextMs
      }
    }
    const second = session[1]
    const isStart = second !== undefined && second.atMs - second.mintedMs! <= 60_000
    if (isStart && (withRisk || !second.isAtRisk)) {
      record(second, second.atMs - second.shiftMs - HOLD_MS, 'starts', 1)
    }
  }
  return { hours, minutes, watchedMs }
}

/** The time watched alone: without the requests that may be lost, and with them. */
export function watchedBounds(log: readonly LoggedRequest[]): {
  readonly least: number
  readonly most: number
} {
  let [least, most] = [0, 0]
  for (const session of sessionsOf(log)) {
    for (const { request, fromMs, toMs } of stretchesOf(session)) {
      most += toMs - fromMs
      if (!request.isAtRisk) least += toMs - fromMs
    }
  }
  return { least, most }
}

/** The time watched in each session, by its id, on all nodes. */
function watchedBySession(log: readonly LoggedRequest[]): ReadonlyMap<string, number> {
  const watched = new Map<string, number>()
  for (const session of sessionsOf(log)) {
    const ms = stretchesOf(session).reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0)
    const { sid } = session[0]!
    watched.set(sid, (watched.get(sid) ?? 0) + ms)
  }
  return watched
}

/** Looks up what was on the air at a time, and when the next entry of the record begins. */
function indexAired(aired: readonly Aired[]) {
  const channels = new Map(
    [...Map.groupBy(aired, ({ channelId }) => channelId)].map(([channelId, entries]) => {
      const inOrder = entries.toSorted((one, other) => one.startTicks - other.startTicks)
      return [channelId, { inOrder, startsMs: inOrder.map(({ startTicks }) => Math.floor(startTicks / 90)) }]
    }),
  )
  return (channelId: string, atMs: number): { entry: Aired | undefined; nextMs: number } => {
    const channel = channels.get(channelId)
    if (channel === undefined) return { entry: undefined, nextMs: Number.POSITIVE_INFINITY }
    const { inOrder, startsMs } = channel
    let [low, high] = [0, startsMs.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (startsMs[middle]! <= atMs) low = middle + 1
      else high = middle
    }
    const last = inOrder[low - 1]
    const isOn = last !== undefined && atMs < Math.floor(last.endTicks / 90)
    return { entry: isOn ? last : undefined, nextMs: startsMs[low] ?? Number.POSITIVE_INFINITY }
  }
}

/** Requests that count, by process and id, in the order of time. */
function sessionsOf(log: readonly LoggedRequest[]): readonly (readonly LoggedRequest[])[] {
  const counting = log.filter(({ mintedMs, isMonitor }) => mintedMs !== undefined && !isMonitor)
  const sessions = Map.groupBy(counting, ({ process, sid }) => `${process} ${sid}`)
  return [...sessions.values()].map((requests) => requests.toSorted((one, other) => one.atMs - other.atMs))
}

function stretchesOf(session: readonly LoggedRequest[]): WatchedStretch[] {
  const stretches: WatchedStretch[] = []
  // Of the buffers: how much of their growth is still to be taken off, and whether the last stretch was mostly a pause.
  let debt = 0
  let wasPause = false
  session.slice(1).forEach((request, at) => {
    const before = session[at]!
    const passed = request.atMs - before.atMs
    const isV1 = before.sta === undefined && before.bl !== undefined && request.bl !== undefined
    const isApart = passed > HOLD_MS || request.shiftMs !== before.shiftMs
    if (isApart || !isV1) [debt, wasPause] = [0, false]
    if (isApart) return
    let watched = passed
    let method = 'heartbeat'
    if (before.sta !== undefined) {
      method = 'v2'
      if (/^[aefqd]$/.test(before.sta)) watched = 0
    } else if (isV1) {
      method = 'v1'
      const [was, is] = [before.bl, request.bl].map((ms) => Math.max(HOLD_MS, toHundreds(ms))) as [
        number,
        number,
      ]
      const isFull = was === is && wasPause && is >= 30_000
      if (isFull) watched = 0
      else {
        const target = HOLD_MS / 3
        const grown = is - was
        // What a dropped buffer was not refilled with at once is dropped, but for a target duration.
        if (grown <= 0 && debt < -target) debt = -target
        const isTooMuch = grown > passed + target
        if (!isTooMuch) debt += grown
        else if (debt < 0) debt = Math.min(0, debt + grown)
        if (debt > 0) watched = Math.max(0, passed - debt)
        debt -= passed - watched
        const isFilling = wasPause && grown >= 0 && is >= 30_000
        if (passed > 0) wasPause = watched < passed / 2 || isFilling
      }
    }
    if (watched > 0) stretches.push({ request, fromMs: before.atMs, toMs: before.atMs + watched, method })
  })
  return stretches
}

const toHundreds = (ms: number): number => Math.round(ms / 100) * 100

/** The target duration: a player that plays requests a playlist about so often. */
const TARGET_MS = 5_000

/**
 * What a pause may be off by in CMCD v1: what fills the buffer from 12 to 15 s is not taken for a pause, a segment that has
 * not appeared yet (3.2 s) cannot be, after a return to the live edge a target duration is offset (5 s), and the buffer of a
 * player that plays is anywhere within a segment (1.6 s either way, at both ends of the pause).
 */
const PAUSE_MS = 3_000 + 3_200 + 5_000 + 2 * 1_600

/**
 * Compares what the requests of a session amount to with what its viewer played. A stretch in which a viewer moved to
 * another node, or looked back further, is not counted, or twice if the viewer alternates between two nodes; a pause that
 * no request shows is counted.
 */
export function comparePlayheads(
  log: readonly LoggedRequest[],
  playheads: readonly Playhead[],
): { readonly sessions: number; readonly apart: readonly string[] } {
  const watched = watchedBySession(log)
  const apart = playheads.flatMap(({ sid, reporting, playedMs, pauses, unseenMs, movedMs }) => {
    const countedMs = watched.get(sid) ?? 0
    const offMs = TARGET_MS + (reporting === 'v1' ? pauses * PAUSE_MS : 0)
    const isIn = countedMs <= playedMs + unseenMs + movedMs + offMs && countedMs >= playedMs - movedMs - offMs
    const played = `${playedMs} played, ${pauses} pauses, ${movedMs} moved`
    return isIn ? [] : `${sid} (${reporting}): ${countedMs} ms counted, ${played}`
  })
  return { sessions: playheads.length, apart }
}
