import type { Viewing } from '@continuity/core/audience/heartbeat'

/** A viewing session as stored in the table. */
export interface KeptSession extends Viewing {
  readonly output: number
  readonly country: number
  readonly isExcluded: boolean
  /** One more than the number (`sn`) of the player's last event; 0 if there was none. */
  readonly nextEvent: number
}

/**
 * The viewing sessions of a node, some 65 bytes each at a million of them. Instead of an id 64 bits of its hash are stored,
 * seeded per process.
 */
export interface SessionTable {
  find(sid: string): KeptSession | undefined
  /** False if the table is full. */
  put(sid: string, session: KeptSession): boolean
  /** In some shards, drops sessions whose last request is before `fromMs`, or after `untilMs` by a clock that was set back. */
  sweep(fromMs: number, untilMs: number): void
  count(): number
}

interface Shard {
  readonly mask: number
  readonly high: Uint32Array
  readonly low: Uint32Array
  readonly atMs: Float64Array
  readonly output: Uint32Array
  readonly country: Uint16Array
  readonly shift: Uint16Array
  readonly buffer: Uint16Array
  readonly nextEvent: Uint32Array
  readonly owedMs: Int32Array
  readonly flags: Uint8Array
  used: number // written by `put` only
}

/** Shards are rebuilt one at a time when full, so that no request waits for the whole table. */
const SHARDS = 256
const SWEPT_AT_ONCE = 16
const FIRST_SLOTS = 64
const FULLEST = 0.7

const SHIFT_STEP_MS = 10_000
const BUFFER_STEP_MS = 100
const NO_BUFFER = 0xffff

const flag = { playing: 1, paused: 2, idle: 4, started: 16, excluded: 32 } as const

export function createSessionTable(seed: number, maximum: number): SessionTable {
  const shards = Array.from({ length: SHARDS }, () => createShard(FIRST_SLOTS))
  let high = 0 // hash of the last id, with `low`
  let low = 0
  let hashed: string | undefined
  let count = 0
  let nextSwept = 0

  const hash = (sid: string) => {
    // `put` follows `find` with the same id.
    if (sid === hashed) return
    hashed = sid
    let one = seed >>> 0
    let other = ~seed >>> 0
    for (let at = 0; at < sid.length; at += 1) {
      const code = sid.charCodeAt(at)
      one = Math.imul(one ^ code, 0x01000193)
      other = Math.imul(other ^ code, 0x5bd1e995)
      other ^= other >>> 15
    }
    one ^= one >>> 16
    one = Math.imul(one, 0x85ebca6b)
    high = (one ^ (one >>> 13)) >>> 0
    // `low` is never 0: that marks an empty slot.
    low = (other | 1) >>> 0
  }
  const rebuild = (at: number, slots: number, fromMs: number, untilMs: number) => {
    const before = shards[at]!
    const after = createShard(slots)
    for (let slot = 0; slot <= before.mask; slot += 1) {
      const isKept = before.low[slot] !== 0 && before.atMs[slot]! >= fromMs && before.atMs[slot]! <= untilMs
      if (isKept) copy(before, slot, after)
    }
    count += after.used - before.used
    shards[at] = after
  }

  return {
    find(sid) {
      hash(sid)
      const shard = shards[high % SHARDS]!
      const slot = slotOf(shard, high, low)
      return shard.low[slot] === 0 ? undefined : read(shard, slot)
    },
    put(sid, session) {
      hash(sid)
      const at = high % SHARDS
      let shard = shards[at]!
      let slot = slotOf(shard, high, low)
      if (shard.low[slot] === 0) {
        if (count >= maximum) return false
        if (shard.used + 1 > FULLEST * (shard.mask + 1)) {
          rebuild(at, (shard.mask + 1) * 2, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)
          shard = shards[at]!
          slot = slotOf(shard, high, low)
        }
        shard.high[slot] = high
        shard.low[slot] = low
        shard.used += 1
        count += 1
      }
      write(shard, slot, session)
      return true
    },
    sweep(fromMs, untilMs) {
      for (let i = 0; i < SWEPT_AT_ONCE; i += 1) {
        const kept = countKept(shards[nextSwept]!, fromMs, untilMs)
        if (kept < shards[nextSwept]!.used) rebuild(nextSwept, slotsFor(kept), fromMs, untilMs)
        nextSwept = (nextSwept + 1) % SHARDS
      }
    },
    count: () => count,
  }
}

function createShard(slots: number): Shard {
  return {
    mask: slots - 1,
    high: new Uint32Array(slots),
    low: new Uint32Array(slots),
    atMs: new Float64Array(slots),
    output: new Uint32Array(slots),
    country: new Uint16Array(slots),
    shift: new Uint16Array(slots),
    buffer: new Uint16Array(slots),
    nextEvent: new Uint32Array(slots),
    owedMs: new Int32Array(slots),
    flags: new Uint8Array(slots),
    used: 0,
  }
}

/** The slot of a key, or the empty slot where it would be inserted. */
function slotOf(shard: Shard, high: number, low: number): number {
  let slot = (high >>> 8) & shard.mask
  while (shard.low[slot] !== 0 && (shard.low[slot] !== low || shard.high[slot] !== high)) {
    slot = (slot + 1) & shard.mask
  }
  return slot
}

function copy(from: Shard, slot: number, to: Shard): void {
  const target = slotOf(to, from.high[slot]!, from.low[slot]!)
  for (const field of fields) to[field][target] = from[field][slot]!
  to.used += 1
}

const fields = [
  'high',
  'low',
  'atMs',
  'output',
  'country',
  'shift',
  'buffer',
  'nextEvent',
  'owedMs',
  'flags',
] as const

function countKept({ low, atMs }: Shard, fromMs: number, untilMs: number): number {
  let kept = 0
  for (let slot = 0; slot < low.length; slot += 1) {
    if (low[slot] !== 0 && atMs[slot]! >= fromMs && atMs[slot]! <= untilMs) kept += 1
  }
  return kept
}

/** With some room to grow. */
function slotsFor(count: number): number {
  let slots = FIRST_SLOTS
  while (count * 1.2 > FULLEST * slots) slots *= 2
  return slots
}

function read(shard: Shard, slot: number): KeptSession {
  const flags = shard.flags[slot]!
  const buffer = shard.buffer[slot]!
  return {
    atMs: shard.atMs[slot]!,
    shiftMs: shard.shift[slot]! * SHIFT_STEP_MS,
    isPaused: (flags & flag.paused) !== 0 ? true : (flags & flag.playing) !== 0 ? false : null,
    bufferMs: buffer === NO_BUFFER ? null : buffer * BUFFER_STEP_MS,
    owedMs: shard.owedMs[slot]!,
    isIdle: (flags & flag.idle) !== 0,
    isStarted: (flags & flag.started) !== 0,
    isExcluded: (flags & flag.excluded) !== 0,
    output: shard.output[slot]!,
    country: shard.country[slot]!,
    nextEvent: shard.nextEvent[slot]!,
  }
}

function write(shard: Shard, slot: number, session: KeptSession): void {
  const { isPaused, bufferMs, isIdle, isStarted, isExcluded } = session
  shard.atMs[slot] = session.atMs
  shard.shift[slot] = session.shiftMs / SHIFT_STEP_MS
  shard.buffer[slot] = bufferMs === null ? NO_BUFFER : bufferMs / BUFFER_STEP_MS
  shard.output[slot] = session.output
  shard.country[slot] = session.country
  shard.nextEvent[slot] = session.nextEvent
  shard.owedMs[slot] = session.owedMs
  shard.flags[slot] =
    (isPaused === null ? 0 : isPaused ? flag.paused : flag.playing) +
    (isIdle ? flag.idle : 0) +
    (isStarted ? flag.started : 0) +
    (isExcluded ? flag.excluded : 0)
}
