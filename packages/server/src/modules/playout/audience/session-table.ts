import type { Viewing } from '@continuity/core/audience/heartbeat'

/** What is the same at every heartbeat of a session, but for the number of events. */
export interface Viewer {
  readonly output: number
  readonly country: number
  readonly isExcluded: boolean
  /** One more than the number (`sn`) of the player's last event; 0 if there was none. */
  readonly nextEvent: number
}

/** A viewing session as stored in the table. */
export interface KeptSession extends Viewing, Viewer {}

/**
 * The viewing sessions of a node, some 85 bytes each at a million of them. Instead of an id 64 bits of its hash are stored,
 * seeded per process.
 */
export interface SessionTable {
  find(sid: string): KeptSession | undefined
  /** False if the table is full. */
  put(sid: string, viewing: Viewing, viewer: Viewer): boolean
  /** In some shards, drops sessions whose last request is before `fromMs`, or after `untilMs` by a clock that was set back. */
  sweep(fromMs: number, untilMs: number): void
  count(): number
}

/**
 * Records of ten words each, so that a heartbeat touches one or two cache lines instead of one for each field. Both arrays
 * are views of the same buffer: `times` has the one field that needs more than 32 bits.
 */
interface Shard {
  readonly mask: number
  readonly words: Uint32Array
  readonly times: Float64Array
  used: number // written by `put` only
}

/** Positions in a record: of words, and of the time among doubles. Unlisted words are the time and padding. */
const RECORD_WORDS = 10
const RECORD_DOUBLES = RECORD_WORDS / 2
const at = {
  high: 0,
  low: 1,
  output: 4,
  nextEvent: 5,
  owedMs: 6,
  countryAndShift: 7,
  bufferAndFlags: 8,
} as const
const TIME_AT = 1
const HALF_BITS = 16
const HALF = 0xffff

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
  const rebuild = (index: number, slots: number, fromMs: number, untilMs: number) => {
    const before = shards[index]!
    const after = createShard(slots)
    for (let slot = 0; slot <= before.mask; slot += 1) {
      if (isKept(before, slot, fromMs, untilMs)) copy(before, slot, after)
    }
    count += after.used - before.used
    shards[index] = after
  }

  return {
    find(sid) {
      hash(sid)
      const shard = shards[high % SHARDS]!
      const slot = slotOf(shard, high, low)
      return isEmpty(shard, slot) ? undefined : read(shard, slot)
    },
    put(sid, viewing, viewer) {
      hash(sid)
      const index = high % SHARDS
      let shard = shards[index]!
      let slot = slotOf(shard, high, low)
      if (isEmpty(shard, slot)) {
        if (count >= maximum) return false
        if (shard.used + 1 > FULLEST * (shard.mask + 1)) {
          rebuild(index, (shard.mask + 1) * 2, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)
          shard = shards[index]!
          slot = slotOf(shard, high, low)
        }
        shard.words[slot * RECORD_WORDS + at.high] = high
        shard.words[slot * RECORD_WORDS + at.low] = low
        shard.used += 1
        count += 1
      }
      write(shard, slot, viewing, viewer)
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
  const words = new Uint32Array(slots * RECORD_WORDS)
  return { mask: slots - 1, words, times: new Float64Array(words.buffer), used: 0 }
}

const isEmpty = ({ words }: Shard, slot: number): boolean => words[slot * RECORD_WORDS + at.low] === 0

/** The slot of a key, or the empty slot where it would be inserted. */
function slotOf({ words, mask }: Shard, high: number, low: number): number {
  let slot = (high >>> 8) & mask
  for (;;) {
    const start = slot * RECORD_WORDS
    const found = words[start + at.low]
    if (found === 0 || (found === low && words[start + at.high] === high)) return slot
    slot = (slot + 1) & mask
  }
}

function copy(from: Shard, slot: number, to: Shard): void {
  const start = slot * RECORD_WORDS
  const target = slotOf(to, from.words[start + at.high]!, from.words[start + at.low]!)
  to.words.set(from.words.subarray(start, start + RECORD_WORDS), target * RECORD_WORDS)
  to.used += 1
}

function isKept(shard: Shard, slot: number, fromMs: number, untilMs: number): boolean {
  const atMs = shard.times[slot * RECORD_DOUBLES + TIME_AT]!
  return !isEmpty(shard, slot) && atMs >= fromMs && atMs <= untilMs
}

function countKept(shard: Shard, fromMs: number, untilMs: number): number {
  let kept = 0
  for (let slot = 0; slot <= shard.mask; slot += 1) if (isKept(shard, slot, fromMs, untilMs)) kept += 1
  return kept
}

/** With some room to grow. */
function slotsFor(count: number): number {
  let slots = FIRST_SLOTS
  while (count * 1.2 > FULLEST * slots) slots *= 2
  return slots
}

function read({ words, times }: Shard, slot: number): KeptSession {
  const start = slot * RECORD_WORDS
  const countryAndShift = words[start + at.countryAndShift]!
  const bufferAndFlags = words[start + at.bufferAndFlags]!
  const flags = bufferAndFlags >>> HALF_BITS
  const buffer = bufferAndFlags & HALF
  return {
    atMs: times[slot * RECORD_DOUBLES + TIME_AT]!,
    shiftMs: (countryAndShift >>> HALF_BITS) * SHIFT_STEP_MS,
    isPaused: (flags & flag.paused) !== 0 ? true : (flags & flag.playing) !== 0 ? false : null,
    bufferMs: buffer === NO_BUFFER ? null : buffer * BUFFER_STEP_MS,
    owedMs: words[start + at.owedMs]! | 0, // signed
    isIdle: (flags & flag.idle) !== 0,
    isStarted: (flags & flag.started) !== 0,
    isExcluded: (flags & flag.excluded) !== 0,
    output: words[start + at.output]!,
    country: countryAndShift & HALF,
    nextEvent: words[start + at.nextEvent]!,
  }
}

function write({ words, times }: Shard, slot: number, viewing: Viewing, viewer: Viewer): void {
  const start = slot * RECORD_WORDS
  const { shiftMs, isPaused, bufferMs, isIdle, isStarted } = viewing
  const buffer = bufferMs === null ? NO_BUFFER : bufferMs / BUFFER_STEP_MS
  const flags =
    (isPaused === null ? 0 : isPaused ? flag.paused : flag.playing) +
    (isIdle ? flag.idle : 0) +
    (isStarted ? flag.started : 0) +
    (viewer.isExcluded ? flag.excluded : 0)
  times[slot * RECORD_DOUBLES + TIME_AT] = viewing.atMs
  words[start + at.output] = viewer.output
  words[start + at.nextEvent] = viewer.nextEvent
  words[start + at.owedMs] = viewing.owedMs
  words[start + at.countryAndShift] = viewer.country | ((shiftMs / SHIFT_STEP_MS) << HALF_BITS)
  words[start + at.bufferAndFlags] = buffer | (flags << HALF_BITS)
}
