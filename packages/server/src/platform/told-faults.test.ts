import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aCapturedLog } from '../http/testing/captured-log.ts'
import { tellFaults } from './told-faults.ts'

test('a fault that comes a thousand times is told once', () => {
  const { logger, lines } = aCapturedLog()
  const tell = tellFaults(logger, 'the bridge is down')

  for (let i = 0; i < 1_000; i += 1) tell(new Error('no planks'))

  assert.deepEqual(
    lines().map(({ level, msg, error, times }) => ({ level, msg, error, times })),
    [{ level: 'warn', msg: 'the bridge is down', error: 'no planks', times: 1 }],
  )
})
