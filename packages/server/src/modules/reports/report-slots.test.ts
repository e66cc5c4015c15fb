import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createReportSlots, type ReportSlot } from './report-slots.ts'

const slotOf = (taken: ReportSlot | string): ReportSlot => {
  assert.ok(typeof taken !== 'string')
  return taken
}

test('an account gets its slots, a process no more than its own, and a released one is free again', () => {
  const slots = createReportSlots({ perAccount: 2, perProcess: 3 })
  const first = slotOf(slots.take('a'))
  slotOf(slots.take('a'))
  assert.equal(slots.take('a'), 'account_full')
  slotOf(slots.take('b'))
  assert.equal(slots.take('c'), 'process_full')

  first.release()

  slotOf(slots.take('a'))
  assert.equal(slots.take('c'), 'process_full')
})

test('a slot that is released twice frees one', () => {
  const slots = createReportSlots({ perAccount: 2, perProcess: 2 })
  const first = slotOf(slots.take('a'))
  slotOf(slots.take('a'))

  first.release()
  first.release()

  slotOf(slots.take('a'))
  assert.equal(slots.take('a'), 'account_full')
  assert.equal(slots.take('b'), 'process_full')
})
