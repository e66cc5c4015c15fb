import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ticksOf } from '../time/ticks.ts'
import { CUT_MARGIN_MS } from './cut-margin.ts'
import {
  findBreak,
  firstFreeSlot,
  firstUnsettledSlot,
  isInTime,
  knowsSlots,
  SETTLE_MS,
  slotShownAt,
  slotStartMs,
} from './live-log.ts'
import { aLog } from './testing/a-timeline.ts'

const SLOT_MS = 3_200
const endMs = (slot: number): number => slotStartMs(slot + 1, SLOT_MS)

test('an entry counts if the broker received it up to a second after the end of its slot', () => {
  assert.equal(isInTime(100, SLOT_MS, endMs(100) + SETTLE_MS), true)
  assert.equal(isInTime(100, SLOT_MS, endMs(100) + SETTLE_MS + 1), false)
})

test('a slot that is listed has been settled for one cut margin, and no later one has', () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), (startMs) => {
      const slot = slotShownAt(ticksOf(startMs), SLOT_MS)
      const listedMs = startMs + SLOT_MS

      assert.ok(endMs(slot) + SETTLE_MS + CUT_MARGIN_MS <= listedMs)
      assert.ok(endMs(slot + 1) + SETTLE_MS + CUT_MARGIN_MS > listedMs)
    }),
  )
})

test('the first free slot is the first one that no channel lists or announces within a cut margin', () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), (nowMs) => {
      const slot = firstFreeSlot(nowMs, SLOT_MS)
      // Channels join a source at any time. None begins to show the slot earlier than this.
      const earliestMs = slotStartMs(slot, SLOT_MS) + SETTLE_MS + CUT_MARGIN_MS

      assert.ok(earliestMs >= nowMs + CUT_MARGIN_MS)
      assert.ok(earliestMs - SLOT_MS < nowMs + CUT_MARGIN_MS)
    }),
  )
})

test('a break contains its first slot and all slots before its end', () => {
  const first = { firstSlot: 100, plannedSlots: 9, endSlot: 103, slate: null }
  const second = { firstSlot: 103, plannedSlots: 2, endSlot: 105, slate: null }
  const log = aLog([], [first, second])

  assert.deepEqual(
    [99, 100, 102, 103, 104, 105].map((slot) => findBreak(log, slot)),
    [undefined, first, first, second, second, undefined],
  )
  assert.equal(findBreak(aLog(), 100), undefined)
})

test('a log received up to a time has settled exactly the slots that later entries cannot change', () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), (receivedMs) => {
      const slot = firstUnsettledSlot(receivedMs, SLOT_MS)

      assert.equal(isInTime(slot - 1, SLOT_MS, receivedMs + 1), false)
      assert.equal(isInTime(slot, SLOT_MS, receivedMs + 1), true)
      assert.ok(firstFreeSlot(receivedMs, SLOT_MS) >= slot)
    }),
  )
})

test('slots are known if none of them was purged and none may still change', () => {
  const log = { ...aLog(), knownFrom: 100, knownUntil: 110 }

  assert.equal(knowsSlots(log, 100, 110), true)
  assert.equal(knowsSlots(log, 99, 110), false)
  assert.equal(knowsSlots(log, 100, 111), false)
})
