import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ticksOf } from '../time/ticks.ts'
import { GUARD_MS } from './guard.ts'
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

test('an entry counts up to a second after the end of its slot, by the clock of the broker', () => {
  assert.equal(isInTime(100, SLOT_MS, endMs(100) + SETTLE_MS), true)
  assert.equal(isInTime(100, SLOT_MS, endMs(100) + SETTLE_MS + 1), false)
})

test('a slot that is listed has been settled for a guard, and no later one has', () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), (startMs) => {
      const slot = slotShownAt(ticksOf(startMs), SLOT_MS)
      const listedMs = startMs + SLOT_MS

      assert.ok(endMs(slot) + SETTLE_MS + GUARD_MS <= listedMs)
      assert.ok(endMs(slot + 1) + SETTLE_MS + GUARD_MS > listedMs)
    }),
  )
})

test('an order changes no slot that a channel may list or announce within a guard, and leaves out no other', () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), (nowMs) => {
      const slot = firstFreeSlot(nowMs, SLOT_MS)
      // Channels come to a source at any place. None begins to show the slot earlier than this.
      const earliestMs = slotStartMs(slot, SLOT_MS) + SETTLE_MS + GUARD_MS

      assert.ok(earliestMs >= nowMs + GUARD_MS)
      assert.ok(earliestMs - SLOT_MS < nowMs + GUARD_MS)
    }),
  )
})

test('a break has its first slot and all before its end', () => {
  const first = { firstSlot: 100, plannedSlots: 9, endSlot: 103, slate: null }
  const second = { firstSlot: 103, plannedSlots: 2, endSlot: 105, slate: null }
  const log = aLog([], [first, second])

  assert.deepEqual(
    [99, 100, 102, 103, 104, 105].map((slot) => findBreak(log, slot)),
    [undefined, first, first, second, second, undefined],
  )
  assert.equal(findBreak(aLog(), 100), undefined)
})

test('whoever has learnt all by a time knows the slots that nothing written later can change, and no other', () => {
  fc.assert(
    fc.property(fc.nat(1_000_000), (learntMs) => {
      const slot = firstUnsettledSlot(learntMs, SLOT_MS)

      assert.equal(isInTime(slot - 1, SLOT_MS, learntMs + 1), false)
      assert.equal(isInTime(slot, SLOT_MS, learntMs + 1), true)
      assert.ok(firstFreeSlot(learntMs, SLOT_MS) >= slot)
    }),
  )
})

test('slots are known where none of them was swept, and none may still change', () => {
  const log = { ...aLog(), knownFrom: 100, knownUntil: 110 }

  assert.equal(knowsSlots(log, 100, 110), true)
  assert.equal(knowsSlots(log, 99, 110), false)
  assert.equal(knowsSlots(log, 100, 111), false)
})
