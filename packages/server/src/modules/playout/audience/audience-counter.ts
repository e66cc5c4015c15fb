import type { IncomingMessage } from 'node:http'
import { type AudienceRow, UNKNOWN_COUNTRY } from '@continuity/core/audience/audience-batch'
import { OFF_AIR, type WatchedComponent } from '@continuity/core/audience/component-cell'
import type { ComponentCells, KeyedCell } from '@continuity/core/audience/component-cells'
import { addHeartbeat, type WatchedInterval } from '@continuity/core/audience/heartbeat'
import { type PlayerEvent, readEvents } from '@continuity/core/audience/player-events'
import { holdBackMs, splitWatched } from '@continuity/core/audience/watched-parts'
import { delayOf, type FeedChannel, type FeedOutput } from '@continuity/core/feed/feed-message'
import { targetDurationOf } from '@continuity/core/media/house-format'
import { mintedAt, type SessionIds, SID_LENGTH } from '../../../platform/crypto/viewing-session-ids.ts'
import type { Metrics } from '../../../platform/metrics/metrics.ts'
import type { KeptSession, SessionTable } from './session-table.ts'
import type { ViewerOrigin } from './viewer-origin.ts'
import { findSid, readReport } from './viewing-request.ts'

/** An output whose viewers are counted. */
export interface CountedOutput {
  readonly index: number
  readonly accountId: string
  readonly channelId: string
  readonly distributor: string
  /** The name that its session ids are minted for. */
  readonly name: string
  readonly holdBackMs: number
  readonly delayMs: number
  sums: Map<string, CellSums> // by cell key; this and the next are written only by the counter
  last: LastSums | undefined
}

interface CellSums {
  readonly minuteMs: number
  readonly component: WatchedComponent
  /** By country number. */
  readonly countries: Map<number, Sums>
}

/** The sums added to last: most viewers of an output are in the same cell. */
interface LastSums {
  readonly generation: number
  readonly country: number
  readonly cell: KeyedCell
  readonly sums: Sums
}

/** Milliseconds by method, and starts. */
interface Sums {
  CMCD_V2: number
  CMCD_V1: number
  HEARTBEAT: number
  starts: number
}

export interface CounterOptions {
  readonly ids: SessionIds
  readonly sessions: SessionTable
  readonly cells: ComponentCells
  readonly originOf: (request: IncomingMessage) => ViewerOrigin
  readonly metrics: Metrics
}

/** Counts the viewers of a node. */
export interface AudienceCounter {
  /** Undefined if nodes do not count this output. */
  outputOf(channel: FeedChannel, output: FeedOutput): CountedOutput | undefined
  /** Call for each media playlist sent. */
  heartbeat(output: CountedOutput, viewed: Viewed): void
  /** Call for events that a player has reported. */
  events(output: CountedOutput, reported: Reported): void
  /** Takes what was counted since the last call, by account. A generator, since there may be many rows. */
  take(): Generator<{ readonly accountId: string; readonly row: AudienceRow }>
  /** Call when the clock has jumped: intervals that began before are not counted. */
  restart(nowMs: number): void
  /** Drops sessions that have ended; call about twice a second. */
  sweep(nowMs: number): void
}

/** A served request for a media playlist. */
export interface Viewed {
  readonly request: IncomingMessage
  readonly query: string
  readonly shiftMs: number
  readonly nowMs: number
}

/** Events reported by a player. */
export interface Reported {
  readonly query: string
  readonly body: string
  readonly nowMs: number
}

/** As long as a session may start after its minting: a session dropped earlier could be counted as started twice. */
const ENDED_MS = 60_000

export function createAudienceCounter({
  ids,
  sessions,
  cells,
  originOf,
  metrics,
}: CounterOptions): AudienceCounter {
  const outputs = new Map<string, CountedOutput>()
  let outputsMade = 0
  const dirty = new Set<CountedOutput>()
  let countFromMs = Number.NEGATIVE_INFINITY
  const heartbeats = metrics
    .counter('audience_heartbeats_total', 'Media playlist requests of viewing sessions.')
    .series()
  const ignored = metrics.counter('audience_ignored_total', 'Media playlist requests not counted, by reason.')
  const reasons = {
    noSession: ignored.series({ reason: 'no_session' }),
    invalid: ignored.series({ reason: 'invalid_session' }),
    excluded: ignored.series({ reason: 'excluded' }),
    full: ignored.series({ reason: 'table_full' }),
  }
  const reported = metrics.counter('audience_events_total', 'Events reported by players, by outcome.')
  const events = {
    counted: reported.series({ outcome: 'counted' }),
    repeated: reported.series({ outcome: 'repeated' }),
  }
  metrics.gauge('audience_sessions', 'Viewing sessions in memory.', sessions.count)

  const sumsOf = (output: CountedOutput, cell: KeyedCell, component: WatchedComponent, country: number) => {
    let ofCell = output.sums.get(cell.key)
    if (ofCell === undefined) {
      ofCell = { minuteMs: cell.minuteMs, component, countries: new Map() }
      output.sums.set(cell.key, ofCell)
      dirty.add(output)
    }
    let sums = ofCell.countries.get(country)
    if (sums === undefined) {
      sums = { CMCD_V2: 0, CMCD_V1: 0, HEARTBEAT: 0, starts: 0 }
      ofCell.countries.set(country, sums)
    }
    return sums
  }
  const addWatched = (
    output: CountedOutput,
    country: number,
    { startMs, endMs, method }: WatchedInterval,
    { shiftMs, nowMs }: Pick<Viewed, 'shiftMs' | 'nowMs'>,
  ) => {
    const behindMs = shiftMs + output.delayMs + output.holdBackMs
    const { last } = output
    const isSame =
      last !== undefined &&
      last.country === country &&
      last.generation === cells.generation() &&
      last.cell.startMs <= startMs - behindMs &&
      endMs - behindMs <= last.cell.endMs
    if (isSame) {
      last.sums[method] += endMs - startMs
      return
    }
    const findCell = (atMs: number) => cells.find(output.channelId, atMs, nowMs)
    splitWatched(startMs - behindMs, endMs - behindMs, findCell, (cell, component, ms) => {
      const sums = sumsOf(output, cell, component, country)
      sums[method] += ms
      output.last = { generation: cells.generation(), country, cell, sums }
    })
  }
  const addStart = (output: CountedOutput, country: number, { shiftMs, nowMs }: Viewed) => {
    const behindMs = shiftMs + output.delayMs + output.holdBackMs
    const cell = cells.find(output.channelId, nowMs - behindMs, nowMs)
    sumsOf(output, cell, cell.component ?? OFF_AIR, country).starts += 1
  }
  /** An event is a heartbeat with the time of a state change; it starts no session. */
  const addEvent = (
    output: CountedOutput,
    sid: string,
    session: KeptSession,
    event: PlayerEvent,
    nowMs: number,
  ): KeptSession => {
    const { sequence, agoMs, isPaused, bufferMs } = event
    if (sequence !== null && sequence < session.nextEvent) {
      events.repeated.add()
      return session
    }
    const { shiftMs, isStarted, country, isExcluded } = session
    // Not before what was already counted: the clock of a player is not trusted.
    const atMs = Math.max(session.atMs, nowMs - agoMs)
    const rules = { maxGapMs: output.holdBackMs, mintedMs: 0 }
    const result = addHeartbeat(session, { atMs, shiftMs, isPaused, bufferMs }, rules)
    const nextEvent = sequence === null ? session.nextEvent : sequence + 1
    const viewing = { ...result.viewing, isStarted }
    const viewer = { output: output.index, country, isExcluded, nextEvent }
    sessions.put(sid, viewing, viewer)
    events.counted.add()
    if (result.watched !== undefined && result.watched.startMs >= countFromMs) {
      addWatched(output, country, result.watched, { shiftMs, nowMs })
    }
    return { ...viewing, ...viewer }
  }
  /** Undefined if the session is not counted. */
  const admit = (sid: string, output: CountedOutput, { request, nowMs }: Viewed) => {
    if (ids.read(sid, output.name, nowMs) === undefined) {
      reasons.invalid.add()
      return undefined
    }
    const { country, isExcluded } = originOf(request)
    return { output: output.index, country: numberOfCountry(country), isExcluded, nextEvent: 0 }
  }

  return {
    outputOf({ accountId, channelId, segmentMs }, output) {
      const { distributor, audienceSource } = output
      if (audienceSource === 'LOGS') return undefined
      const name = `${channelId}/${distributor}`
      const found = outputs.get(name)
      const delayMs = delayOf(output)
      // It may have been deleted, and created again with another delay.
      if (found?.delayMs === delayMs) return found
      const made: CountedOutput = {
        index: outputsMade,
        accountId,
        channelId,
        distributor,
        name,
        holdBackMs: holdBackMs(targetDurationOf(segmentMs) * 1_000),
        delayMs,
        sums: new Map(),
        last: undefined,
      }
      outputsMade += 1
      outputs.set(name, made)
      return made
    },
    heartbeat(output, viewed) {
      const { query, request, nowMs, shiftMs } = viewed
      const sid = findSid(query)
      if (sid === undefined || sid.length !== SID_LENGTH) {
        reasons.noSession.add()
        return
      }
      const known: KeptSession | undefined = sessions.find(sid)
      const viewer = known ?? admit(sid, output, viewed)
      if (viewer === undefined) return
      // The MAC was made for one output.
      if (viewer.output !== output.index) return reasons.invalid.add()
      if (viewer.isExcluded) reasons.excluded.add()
      else heartbeats.add()
      const { isPaused, bufferMs } = readReport(query, request.headers)
      const rules = {
        maxGapMs: output.holdBackMs,
        mintedMs: known === undefined || known.isStarted ? 0 : mintedAt(sid),
      }
      const result = addHeartbeat(known, { atMs: nowMs, shiftMs, isPaused, bufferMs }, rules)
      if (!sessions.put(sid, result.viewing, viewer)) {
        reasons.full.add()
        return
      }
      const { country, isExcluded } = viewer
      if (isExcluded) return
      if (result.isStart) addStart(output, country, viewed)
      if (result.watched !== undefined && result.watched.startMs >= countFromMs) {
        addWatched(output, country, result.watched, viewed)
      }
    },
    events(output, { query, body, nowMs }) {
      const sid = findSid(query)
      // Only for sessions that request playlists here: events alone do not prove a viewer.
      let session = sid === undefined || sid.length !== SID_LENGTH ? undefined : sessions.find(sid)
      if (session === undefined || session.output !== output.index || session.isExcluded) return
      for (const event of readEvents(body)) session = addEvent(output, sid!, session, event, nowMs)
    },
    *take() {
      const taken = [...dirty].map((output) => {
        const { sums } = output
        output.sums = new Map()
        output.last = undefined
        return { output, sums }
      })
      dirty.clear()
      for (const { output, sums } of taken) yield* rowsOf(output, sums)
    },
    restart(nowMs) {
      countFromMs = nowMs
    },
    sweep(nowMs) {
      sessions.sweep(nowMs - ENDED_MS, nowMs + ENDED_MS)
    },
  }
}

function* rowsOf(
  { accountId, channelId, distributor }: CountedOutput,
  sums: ReadonlyMap<string, CellSums>,
): Generator<{ readonly accountId: string; readonly row: AudienceRow }> {
  for (const { minuteMs, component, countries } of sums.values()) {
    for (const [country, { CMCD_V2, CMCD_V1, HEARTBEAT, starts }] of countries) {
      const row = {
        channelId,
        distributor,
        country: countryOfNumber(country),
        minuteMs,
        ...component,
        cmcdV2Ms: CMCD_V2,
        cmcdV1Ms: CMCD_V1,
        heartbeatMs: HEARTBEAT,
        starts,
      }
      yield { accountId, row }
    }
  }
}

const A = 65
const LETTERS = 26

const numberOfCountry = (code: string): number => {
  const known = /^[A-Z]{2}$/.test(code) ? code : UNKNOWN_COUNTRY
  return (known.charCodeAt(0) - A) * LETTERS + known.charCodeAt(1) - A
}

const countryOfNumber = (number: number): string =>
  String.fromCharCode(A + Math.floor(number / LETTERS), A + (number % LETTERS))
