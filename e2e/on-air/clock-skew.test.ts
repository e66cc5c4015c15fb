import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { clockSkew } from './clock-skew-proof.ts'

test('no clock that is wrong takes a channel off the air or corrupts its record', async () => {
  await assertSmall(clockSkew, 1)
})
