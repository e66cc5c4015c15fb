import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkWindow, NOTICE_MS } from './check-window.ts'

const aWindow = { startMs: 1_000_000, endMs: 1_060_000, declaredSeconds: [30, 30] }

test('a program that begins in a minute is still taken in, and a millisecond later it is too late', () => {
  assert.deepEqual(checkWindow(aWindow, aWindow.startMs - NOTICE_MS), { kind: 'fits' })

  assert.deepEqual(checkWindow(aWindow, aWindow.startMs - NOTICE_MS + 1), {
    kind: 'refused',
    reason: 'too_late',
  })
})

test('items may fill their window to the end, and not a second further', () => {
  assert.equal(checkWindow(aWindow, 0).kind, 'fits')

  assert.deepEqual(checkWindow({ ...aWindow, declaredSeconds: [30, 31] }, 0), {
    kind: 'refused',
    reason: 'too_long',
    overMs: 1_000,
  })
})
