import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAlarm } from './alarm.ts'

const LONG_MS = 600_000

test('a ring ends the wait', async () => {
  const alarm = createAlarm()

  const waited = alarm.wait(LONG_MS)
  alarm.ring()

  await waited
})

test('a ring before the wait ends it, once', async () => {
  const alarm = createAlarm()
  alarm.ring()
  alarm.ring()

  await alarm.wait(LONG_MS)
  let isOver = false
  const waited = alarm.wait(LONG_MS).then(() => {
    isOver = true
  })
  await new Promise(setImmediate)

  assert.equal(isOver, false)
  alarm.ring()
  await waited
})

test('without a ring the wait ends by itself', async () => {
  const startMs = performance.now()

  await createAlarm().wait(20)

  assert.ok(performance.now() - startMs >= 19)
})
