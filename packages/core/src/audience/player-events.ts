import { keysIn, type PlayerReport, readKeys } from './cmcd.ts'

/** What a player reports by an event of CMCD v2, independent of its requests. */
export interface PlayerEvent extends PlayerReport {
  /** Number of the report of a player (`sn`); null if not sent. */
  readonly sequence: number | null
  /** How long before the last event of the same report it was, by the clock of the player (`ts`). */
  readonly agoMs: number
}

/** A report has one event per line. Events above this number are ignored. */
export const EVENTS_MAXIMUM = 20

const SEQUENCE = /(?:^|,)\s*sn=(\d{1,9})\s*(?:,|$)/
const TIME = /(?:^|,)\s*ts=(\d{1,15})\s*(?:,|$)/

/** The events of a report that have a state, in the order of their lines. */
export function readEvents(body: string): readonly PlayerEvent[] {
  if (!body.includes('\n')) {
    // The usual case: there is nothing to compare its time with.
    const keys = keysIn(body)
    const report = readKeys(keys)
    return report.isPaused === null ? [] : [{ ...report, sequence: numberIn(SEQUENCE, keys), agoMs: 0 }]
  }
  const events = body.split('\n', EVENTS_MAXIMUM).flatMap((line) => {
    const keys = keysIn(line)
    const report = readKeys(keys)
    if (report.isPaused === null) return []
    return { ...report, sequence: numberIn(SEQUENCE, keys), atMs: numberIn(TIME, keys) }
  })
  const lastMs = Math.max(0, ...events.map(({ atMs }) => atMs ?? 0))
  return events.map(({ atMs, ...event }) => ({ ...event, agoMs: atMs === null ? 0 : lastMs - atMs }))
}

function numberIn(expression: RegExp, keys: string): number | null {
  const found = expression.exec(keys)?.[1]
  return found === undefined ? null : Number(found)
}
