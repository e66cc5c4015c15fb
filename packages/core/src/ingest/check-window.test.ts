import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkWindow, NOTICE_MS } from './check-window.ts'

const aWindow = { startMs: 1_000_000, endMs: 1_060_000, declaredSeconds: [30, 30] }

test('a program that begins in a minute is accepted, and rejected a millisecond later', () => {
  assert.deepEqual(checkWindow(aWindow, aWindow.startMs - NOTICE_MS), { kind: 'fits' })

  assert.deepEqual(checkWindow(aWindow, aWindow.startMs - NOTICE_MS + 1), {
    kind: 'rejected',
    reason: 'too_late',
  })
})

test('items may fill their window completely, but not exceed it', () => {
  assert.equal(checkWindow(aWindow, 0).kind, 'fits')

  assert.deepEqual(checkWindow({ ...aWindow, declaredSeconds: [30, 31] }, 0), {
    kind: 'rejected',
    reason: 'too_long',
    overMs: 1_000,
  })
})
