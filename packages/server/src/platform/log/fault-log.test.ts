import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aCapturedLog } from '../../http/testing/captured-log.ts'
import { createFaultLog } from './fault-log.ts'

test('a fault that repeats a thousand times is logged once', () => {
  const { logger, lines } = aCapturedLog()
  const logFault = createFaultLog(logger, 'the bridge is down')

  for (let i = 0; i < 1_000; i += 1) logFault(new Error('no planks'))

  assert.deepEqual(
    lines().map(({ level, msg, error, times }) => ({ level, msg, error, times })),
    [{ level: 'warn', msg: 'the bridge is down', error: 'no planks', times: 1 }],
  )
})
