import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type BreakLog,
  breakMs,
  changeByCue,
  emptyBreakLog,
  endBreak,
  insertBreak,
  openBreakOf,
} from './break-log.ts'

const SLOT_MS = 3_200
/** Slot 100 begins; the previous slot settles within a second. */
const NOW_MS = 100 * SLOT_MS
const empty = emptyBreakLog(SLOT_MS)
const draft = (key: string, seconds: number, slot?: number) => ({
  key,
  origin: 'API' as const,
  durationMs: seconds * 1_000,
  slate: null,
  ...(slot === undefined ? {} : { slot }),
})

function inserted(log: BreakLog, ...args: Parameters<typeof draft>) {
  const change = insertBreak(log, draft(...args), NOW_MS)
  assert.ok(change.kind === 'changed')
  return change
}

test('a break begins at the first slot that is not settled, and lasts whole slots', () => {
  const { log, entry } = inserted(empty, 'a', 30)
  assert.deepEqual([entry.firstSlot, entry.plannedSlots, entry.endSlot], [100, 10, 110])
  assert.equal(breakMs(entry, SLOT_MS), 32_000)
  assert.deepEqual([log.version, log.breaks.length], [1, 1])
  const early = insertBreak(empty, draft('a', 3.2), NOW_MS - 2_300)
  const late = insertBreak(empty, draft('a', 3.2), NOW_MS + 1_001)
  assert.ok(early.kind === 'changed' && late.kind === 'changed')
  // A slot is settled one second after its end, and no longer free.
  assert.deepEqual([early.entry.firstSlot, late.entry.firstSlot], [99, 101])
  assert.equal(late.entry.endSlot, 102)
})

test('breaks do not overlap, and a repeated request gives the same break', () => {
  const { log } = inserted(empty, 'a', 30)
  assert.deepEqual(insertBreak(log, draft('b', 10), NOW_MS + 5_000), {
    kind: 'rejected',
    reason: 'break_open',
  })
  assert.equal(insertBreak(log, draft('a', 30), NOW_MS + 500_000).kind, 'repeated')
  const afterMs = NOW_MS + 10 * SLOT_MS + 1_000
  assert.equal(insertBreak(log, draft('b', 10), afterMs - SLOT_MS).kind, 'rejected')
  assert.equal(insertBreak(log, draft('b', 10), afterMs).kind, 'changed')
})

test('a break requested for later begins there, and one requested for the past begins at once', () => {
  assert.equal(inserted(empty, 'a', 30, 107).entry.firstSlot, 107)
  assert.equal(inserted(empty, 'a', 30, 90).entry.firstSlot, 100)
})

test('a break is ended at the next free slot, and cannot be ended again', () => {
  const { log } = inserted(empty, 'a', 30)
  const change = endBreak(log, NOW_MS + 4 * SLOT_MS)
  assert.ok(change.kind === 'changed')
  assert.deepEqual([change.entry.endSlot, change.entry.plannedSlots], [104, 10])
  assert.equal(change.log.version, 2)
  assert.deepEqual(endBreak(change.log, NOW_MS + 4 * SLOT_MS), { kind: 'rejected', reason: 'no_break' })
  assert.deepEqual(endBreak(log, NOW_MS + 11 * SLOT_MS), { kind: 'rejected', reason: 'no_break' })
  assert.deepEqual(endBreak(empty, NOW_MS), { kind: 'rejected', reason: 'no_break' })
})

test('a break that is ended as it begins lasts one slot', () => {
  const { log } = inserted(empty, 'a', 30)
  const change = endBreak(log, NOW_MS)
  assert.ok(change.kind === 'changed')
  assert.equal(change.entry.endSlot, 101)
  const short = inserted(empty, 'a', 1)
  assert.equal(endBreak(short.log, NOW_MS).kind, 'repeated')
})

test('a break is open until its last slot is settled', () => {
  const { log } = inserted(empty, 'a', 6.4)
  assert.equal(openBreakOf(empty, NOW_MS), undefined)
  assert.equal(openBreakOf(log, NOW_MS)?.key, 'a')
  assert.equal(openBreakOf(log, 101 * SLOT_MS + 1_000)?.key, 'a')
  assert.equal(openBreakOf(log, 101 * SLOT_MS + 1_001), undefined)
})

test('the number of breaks of a source is bounded', () => {
  let log = empty
  for (let at = 0; at < 600; at += 1) {
    const change = insertBreak(log, draft(`${at}`, 3), NOW_MS + at * 60_000)
    assert.ok(change.kind === 'changed')
    log = change.log
  }
  assert.equal(log.breaks.length, 500)
  assert.equal(log.breaks.at(-1)?.key, '599')
})

test('cues of a source become breaks: 120 s if they have no duration, closed by their end', () => {
  const position = { slot: 101, slate: null }
  const opened = changeByCue(empty, { kind: 'out', durationMs: undefined }, position, NOW_MS)
  assert.ok(opened.kind === 'changed')
  assert.deepEqual(
    [opened.entry.firstSlot, opened.entry.plannedSlots, opened.entry.origin],
    [101, 38, 'MANIFEST'],
  )
  // The other input delivers it too.
  assert.equal(changeByCue(opened.log, { kind: 'out', durationMs: 9_000 }, position, NOW_MS).kind, 'repeated')
  const later = { slot: 103, slate: null }
  assert.equal(changeByCue(opened.log, { kind: 'out', durationMs: 9_000 }, later, NOW_MS).kind, 'rejected')

  const closed = changeByCue(opened.log, { kind: 'in', durationMs: undefined }, later, NOW_MS)
  assert.ok(closed.kind === 'changed')
  assert.deepEqual([closed.entry.firstSlot, closed.entry.plannedSlots, closed.entry.endSlot], [101, 38, 103])
})

test('the end of a cue does not close a break that was inserted by a request', () => {
  const { log } = inserted(empty, 'a', 30)
  const end = { kind: 'in', durationMs: undefined } as const
  const position = { slot: 102, slate: null }
  assert.deepEqual(changeByCue(log, end, position, NOW_MS), { kind: 'rejected', reason: 'no_break' })
  assert.deepEqual(changeByCue(empty, end, position, NOW_MS), { kind: 'rejected', reason: 'no_break' })
})
