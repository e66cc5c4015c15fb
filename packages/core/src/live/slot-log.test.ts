import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  continuationOf,
  followLog,
  joinRanges,
  nextLog,
  RANGES_MOST,
  type SlotEntry,
  type SlotLog,
  settledLog,
  settledRanges,
} from './slot-log.ts'

const SLOT_MS = 3_200
/** In the middle of a slot, by the broker's clock. */
const during = (slot: number) => slot * SLOT_MS + 500
const entry = (slot: number, epoch = 1, key = `key ${epoch}`): SlotEntry => ({ slot, epoch, key })
const writing = { token: 7, folder: 'live/a/s', slotMs: SLOT_MS, keptFrom: 0 }

/** A log of entries that were stored at these times. */
function written(entries: readonly (readonly [SlotEntry, number])[], over: Partial<typeof writing> = {}) {
  let before: { log: SlotLog; storedMs: number } | undefined
  for (const [one, storedMs] of entries)
    before = { log: nextLog(before, one, { ...writing, ...over }), storedMs }
  return before!
}

const inTime = (one: SlotEntry) => [one, during(one.slot)] as const
const rangesOf = ({ log, storedMs }: { readonly log: SlotLog; readonly storedMs: number }) =>
  settledRanges(log, storedMs).map(({ firstSlot, endSlot, epoch }) => [firstSlot, endSlot, epoch])

test('consecutive slots are one range, and a gap or another epoch begins the next', () => {
  const log = written([10, 11, 12, 14, 15].map((slot) => inTime(entry(slot))))
  assert.deepEqual(rangesOf(log), [
    [10, 13, 1],
    [14, 16, 1],
  ])

  const next = written([inTime(entry(10)), inTime(entry(11, 2)), inTime(entry(12, 2, 'other'))])
  assert.deepEqual(rangesOf(next), [
    [10, 11, 1],
    [11, 12, 2],
    [12, 13, 2],
  ])
})

test('the newest slot counts by the time of its message, and a late one stays fill', () => {
  const { log } = written([inTime(entry(10)), inTime(entry(11))])
  assert.deepEqual(
    log.ranges.map(({ endSlot }) => endSlot),
    [11],
  )
  const endOf = (storedMs: number) => settledRanges(log, storedMs).at(-1)!.endSlot

  assert.equal(endOf(12 * SLOT_MS + 1_000), 12)
  assert.equal(endOf(12 * SLOT_MS + 1_001), 11)
  assert.equal(endOf(11 * SLOT_MS), 12)
  assert.equal(endOf(11 * SLOT_MS - 1), 11, 'stored before the slot begins')
  const late = written([inTime(entry(10)), [entry(11), 13 * SLOT_MS], inTime(entry(13))])
  assert.deepEqual(rangesOf(late), [
    [10, 11, 1],
    [13, 14, 1],
  ])
})

test('old slots are dropped, and the log contains the first slot that it knows', () => {
  const log = written([inTime(entry(10)), inTime(entry(20, 2)), inTime(entry(30, 3))], { keptFrom: 15 })

  assert.deepEqual(rangesOf(log), [
    [20, 21, 2],
    [30, 31, 3],
  ])
  assert.equal(log.log.knownFrom, 15)
})

test('the log of a source that breaks with every slot is bounded', () => {
  const slots = Array.from({ length: RANGES_MOST + 50 }, (_, at) => inTime(entry(2 * at, at)))
  const { log } = written(slots)

  assert.equal(log.ranges.length, RANGES_MOST)
  assert.equal(log.knownFrom, log.ranges[0]!.firstSlot)
  assert.ok(JSON.stringify(log).length < 20_000)
})

test('a writer that continues a log begins after it, in another epoch', () => {
  assert.deepEqual(continuationOf(undefined), { epoch: 1, slot: 0 })
  const { log } = written([inTime(entry(10, 4)), inTime(entry(11, 5))])
  assert.deepEqual(continuationOf(log), { epoch: 6, slot: 12 })
  assert.deepEqual(continuationOf({ ...log, newest: null }), { epoch: 5, slot: 11 })
})

test('a reader keeps the entries of a lost stream, and drops them after the retention time', () => {
  const before = written([10, 11, 12].map((slot) => inTime(entry(slot))))
  const again = written([inTime(entry(14, 9)), inTime(entry(15, 9))])
  assert.equal(again.log.knownFrom, 14)

  assert.deepEqual(rangesOf(followLog(undefined, again, 0)), [[14, 16, 9]])
  const followed = followLog(before, again, 0)
  assert.deepEqual(rangesOf(followed), [
    [10, 13, 1],
    [14, 16, 9],
  ])
  assert.equal(followed.log.knownFrom, 10)
  const later = written([inTime(entry(14, 9)), inTime(entry(15, 9)), inTime(entry(16, 9))])
  assert.deepEqual(rangesOf(followLog(followed, later, 13)), [[14, 17, 9]])
})

test('the ranges of two copies of a lost stream are merged slot by slot', () => {
  const range = (firstSlot: number, endSlot: number, epoch = 1) => ({
    firstSlot,
    endSlot,
    epoch,
    key: `key ${epoch}`,
  })
  const join = (one: readonly ReturnType<typeof range>[], other: readonly ReturnType<typeof range>[]) =>
    joinRanges(one, other).map(({ firstSlot, endSlot, epoch }) => [firstSlot, endSlot, epoch])

  assert.deepEqual(join([range(1, 5)], [range(3, 9)]), [[1, 9, 1]])
  assert.deepEqual(join([range(1, 9)], [range(3, 5)]), [[1, 9, 1]])
  assert.deepEqual(join([range(1, 3), range(7, 9, 2)], [range(3, 6)]), [
    [1, 6, 1],
    [7, 9, 2],
  ])
  assert.deepEqual(join([range(1, 3)], [range(3, 6, 2)]), [
    [1, 3, 1],
    [3, 6, 2],
  ])
  assert.deepEqual(join([], [range(3, 6)]), [[3, 6, 1]])
})

test('a copy that is older than the known log removes nothing', () => {
  const known = written([10, 11, 12, 13].map((slot) => inTime(entry(slot))))
  const copy = settledLog(written([10, 11].map((slot) => inTime(entry(slot)))))
  assert.deepEqual(
    copy.ranges.map(({ firstSlot, endSlot }) => [firstSlot, endSlot]),
    [[10, 12]],
  )
  const refilled = { log: copy, storedMs: during(20) }

  assert.deepEqual(rangesOf(followLog(known, refilled, 0)), [[10, 14, 1]])
})

test('a log that is continued is known as it was written', () => {
  const one = written([10, 11].map((slot) => inTime(entry(slot))))
  const two = written([10, 11, 12].map((slot) => inTime(entry(slot))))

  assert.deepEqual(followLog(one, two, 0), two)
})

test('a reader keeps what it knows through all messages of a writer that began with an old copy', () => {
  const known = written([10, 11, 12, 13].map((slot) => inTime(entry(slot))))
  const copy = settledLog(written([10, 11].map((slot) => inTime(entry(slot)))))
  let message = { log: copy, storedMs: during(20) }
  let followed = followLog(known, message, 0)
  for (const slot of [21, 22, 23]) {
    const log = nextLog(message, entry(slot, 2), { ...writing, token: 8 })
    message = { log, storedMs: during(slot) }
    followed = followLog(followed, message, 0)
  }

  assert.deepEqual(rangesOf(followed), [
    [10, 14, 1],
    [21, 24, 2],
  ])
  assert.equal(followed.log.knownFrom, 10)
})
