import { addHeartbeat, type Heartbeat, type Method, type SessionRules, type Viewing } from './heartbeat.ts'

/** A heartbeat in an access log. */
export interface LoggedHeartbeat extends Heartbeat {
  /** ISO 3166, two capitals. */
  readonly country: string
}

/** A time that a session watched; if the method is null, a start at `endMs`. */
export interface WatchedPart {
  readonly startMs: number
  readonly endMs: number
  readonly method: Method | null
  readonly shiftMs: number
  readonly country: string
}

/**
 * The heartbeats of a session in one hour are a block: a set, stored in order as records of ten bytes. A line
 * that is imported again is already in the set, and the order in which files are imported does not matter.
 */
export const BLOCK_MS = 3_600_000
export const RECORD_BYTES = 10

export const blockOf = (atMs: number): number => Math.floor(atMs / BLOCK_MS) * BLOCK_MS

/** A session after its last heartbeat. */
export interface LoggedViewing extends LoggedHeartbeat, Viewing {}

/** State that is not in the last record of a block, but needed for the next block. */
export type BlockEnd = Pick<Viewing, 'owedMs' | 'isIdle' | 'isStarted'>

/** Adds heartbeats of its hour to a block. Returns the same bytes if it contains them all. */
export function addToBlock(
  block: Uint8Array,
  startMs: number,
  heartbeats: readonly LoggedHeartbeat[],
): { readonly block: Uint8Array; readonly added: number } {
  const known = readRecords(block)
  const merged = [...known, ...heartbeats.map((heartbeat) => recordOf(heartbeat, startMs))].toSorted(
    (one, other) => one.offsetMs - other.offsetMs || one.report - other.report,
  )
  const records = merged.filter((record, at) => at === 0 || !isSame(record, merged[at - 1]!))
  const added = records.length - known.length
  return added === 0 ? { block, added } : { block: writeRecords(records), added }
}

/** What was watched in a block, given the session before it. */
export function watchBlock(
  block: Uint8Array,
  startMs: number,
  before: LoggedViewing | undefined,
  rules: SessionRules,
): { readonly parts: readonly WatchedPart[]; readonly last: LoggedViewing | undefined } {
  const parts: WatchedPart[] = []
  let last = before
  for (const record of readRecords(block)) {
    const heartbeat = heartbeatOf(record, startMs)
    const { viewing, watched, isStart } = addHeartbeat(last, heartbeat, rules)
    const { shiftMs, atMs, country } = heartbeat
    if (isStart) parts.push({ startMs: atMs, endMs: atMs, method: null, shiftMs, country })
    if (watched !== undefined) parts.push({ ...watched, shiftMs, country: last!.country })
    last = { ...viewing, country }
  }
  return { parts, last }
}

/** The session after a block, for which the last record is sufficient. */
export const lastOfBlock = (block: Uint8Array, startMs: number, end: BlockEnd): LoggedViewing => ({
  ...heartbeatOf(readRecords(block.subarray(-RECORD_BYTES))[0]!, startMs),
  ...end,
})

/** The difference of two lists: parts that were counted before and are to be subtracted, and new ones. */
export function compareParts(before: readonly WatchedPart[], after: readonly WatchedPart[]) {
  const most = Math.min(before.length, after.length)
  let first = 0
  while (first < most && isSamePart(before[first]!, after[first]!)) first += 1
  let sameAtEnd = 0
  while (sameAtEnd < most - first && isSamePart(before.at(-1 - sameAtEnd)!, after.at(-1 - sameAtEnd)!))
    sameAtEnd += 1
  return {
    gone: before.slice(first, before.length - sameAtEnd),
    added: after.slice(first, after.length - sameAtEnd),
  }
}

const isSamePart = (one: WatchedPart, other: WatchedPart): boolean =>
  one.startMs === other.startMs &&
  one.endMs === other.endMs &&
  one.method === other.method &&
  one.shiftMs === other.shiftMs &&
  one.country === other.country

/** Both are numbers that sort like the values they encode. */
interface HeartbeatRecord {
  /** Since the start of the block. */
  readonly offsetMs: number
  /** Shift, buffer, state and country in 42 bits. */
  readonly report: number
}

const SHIFT_STEP_MS = 10_000
const BUFFER_STEP_MS = 100
const NO_BUFFER = 0xffff
const BUFFERS = 0x10000
const STATES = [null, false, true] as const
const STATE_ROOM = 4
const COUNTRY_ROOM = 1024
const A = 65
const LETTERS = 26

function recordOf(heartbeat: LoggedHeartbeat, startMs: number): HeartbeatRecord {
  const { atMs, shiftMs, bufferMs, isPaused, country } = heartbeat
  const buffer = bufferMs === null ? NO_BUFFER : bufferMs / BUFFER_STEP_MS
  const countryNumber = (country.charCodeAt(0) - A) * LETTERS + country.charCodeAt(1) - A
  const reported = (shiftMs / SHIFT_STEP_MS) * BUFFERS + buffer
  return {
    offsetMs: atMs - startMs,
    report: (reported * STATE_ROOM + STATES.indexOf(isPaused)) * COUNTRY_ROOM + countryNumber,
  }
}

function heartbeatOf({ offsetMs, report }: HeartbeatRecord, startMs: number): LoggedHeartbeat {
  const country = report % COUNTRY_ROOM
  const withState = Math.floor(report / COUNTRY_ROOM)
  const reported = Math.floor(withState / STATE_ROOM)
  const buffer = reported % BUFFERS
  return {
    atMs: startMs + offsetMs,
    shiftMs: Math.floor(reported / BUFFERS) * SHIFT_STEP_MS,
    bufferMs: buffer === NO_BUFFER ? null : buffer * BUFFER_STEP_MS,
    isPaused: STATES[withState % STATE_ROOM]!,
    country: String.fromCharCode(A + Math.floor(country / LETTERS), A + (country % LETTERS)),
  }
}

const isSame = (one: HeartbeatRecord, other: HeartbeatRecord): boolean =>
  one.offsetMs === other.offsetMs && one.report === other.report

const HIGH = 2 ** 32

function readRecords(block: Uint8Array): HeartbeatRecord[] {
  const view = new DataView(block.buffer, block.byteOffset, block.byteLength)
  const records: HeartbeatRecord[] = []
  for (let at = 0; at + RECORD_BYTES <= block.byteLength; at += RECORD_BYTES) {
    records.push({
      offsetMs: view.getUint32(at),
      report: view.getUint16(at + 4) * HIGH + view.getUint32(at + 6),
    })
  }
  return records
}

function writeRecords(records: readonly HeartbeatRecord[]): Uint8Array {
  const bytes = new Uint8Array(records.length * RECORD_BYTES)
  const view = new DataView(bytes.buffer)
  records.forEach(({ offsetMs, report }, index) => {
    const at = index * RECORD_BYTES
    view.setUint32(at, offsetMs)
    view.setUint16(at + 4, Math.floor(report / HIGH))
    view.setUint32(at + 6, report % HIGH)
  })
  return bytes
}
