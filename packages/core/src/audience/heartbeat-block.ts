import { addHeartbeat, type Heartbeat, type Method, type SessionRules, type Viewing } from './heartbeat.ts'

/** A heartbeat as an access log has it. */
export interface LoggedHeartbeat extends Heartbeat {
  /** ISO 3166, two capitals. */
  readonly country: string
}

/** What a session has watched in one piece; where the method is null, a start at `endMs`. */
export interface WatchedPiece {
  readonly startMs: number
  readonly endMs: number
  readonly method: Method | null
  readonly shiftMs: number
  readonly country: string
}

/**
 * The heartbeats of a session in one hour are a block: a set, kept in order as records of ten bytes. A line that is
 * imported again is in the set already, and the order in which files are imported does not matter.
 */
export const BLOCK_MS = 3_600_000
export const RECORD_BYTES = 10

export const blockOf = (atMs: number): number => Math.floor(atMs / BLOCK_MS) * BLOCK_MS

/** A session after its last heartbeat. */
export interface LoggedViewing extends LoggedHeartbeat, Viewing {}

/** What is not in the last record of a block, and the next block has to know. */
export type BlockEnd = Pick<Viewing, 'owedMs' | 'isIdle' | 'isStarted'>

/** Adds heartbeats of its hour to a block. Gives the same bytes where it has them all. */
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

/** What was watched in a block by who was last seen before it. */
export function watchBlock(
  block: Uint8Array,
  startMs: number,
  before: LoggedViewing | undefined,
  rules: SessionRules,
): { readonly pieces: readonly WatchedPiece[]; readonly last: LoggedViewing | undefined } {
  const pieces: WatchedPiece[] = []
  let last = before
  for (const record of readRecords(block)) {
    const heartbeat = heartbeatOf(record, startMs)
    const { viewing, watched, isStart } = addHeartbeat(last, heartbeat, rules)
    const { shiftMs, atMs, country } = heartbeat
    if (isStart) pieces.push({ startMs: atMs, endMs: atMs, method: null, shiftMs, country })
    if (watched !== undefined) pieces.push({ ...watched, shiftMs, country: last!.country })
    last = { ...viewing, country }
  }
  return { pieces, last }
}

/** The session after a block, of which the last record is enough. */
export const lastOfBlock = (block: Uint8Array, startMs: number, end: BlockEnd): LoggedViewing => ({
  ...heartbeatOf(readRecords(block.subarray(-RECORD_BYTES))[0]!, startMs),
  ...end,
})

/** What one list of pieces has that the other has not: what was counted before, and is to be taken back, and what is new. */
export function comparePieces(before: readonly WatchedPiece[], after: readonly WatchedPiece[]) {
  const most = Math.min(before.length, after.length)
  let first = 0
  while (first < most && isSamePiece(before[first]!, after[first]!)) first += 1
  let behind = 0
  while (behind < most - first && isSamePiece(before.at(-1 - behind)!, after.at(-1 - behind)!)) behind += 1
  return {
    gone: before.slice(first, before.length - behind),
    added: after.slice(first, after.length - behind),
  }
}

const isSamePiece = (one: WatchedPiece, other: WatchedPiece): boolean =>
  one.startMs === other.startMs &&
  one.endMs === other.endMs &&
  one.method === other.method &&
  one.shiftMs === other.shiftMs &&
  one.country === other.country

/** Both are numbers that sort as what they stand for. */
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
  const place = (country.charCodeAt(0) - A) * LETTERS + country.charCodeAt(1) - A
  const reported = (shiftMs / SHIFT_STEP_MS) * BUFFERS + buffer
  return {
    offsetMs: atMs - startMs,
    report: (reported * STATE_ROOM + STATES.indexOf(isPaused)) * COUNTRY_ROOM + place,
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
