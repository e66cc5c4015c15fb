import { test } from 'node:test'
import { assertSabotageIsFound, assertSmall } from '../proofs/proof.ts'
import { clockSkew } from './clock-skew-proof.ts'

test('no clock that is wrong takes a channel off the air or corrupts its record', async () => {
  await assertSmall(clockSkew, 1)
})

test('the proof goes red when a process with a wrong clock continues to write', async () => {
  await assertSabotageIsFound(clockSkew, 1)
})
