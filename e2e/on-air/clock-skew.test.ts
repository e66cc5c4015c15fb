import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { clockSkew } from './clock-skew-proof.ts'

test('a wrong clock neither takes a channel off the air nor corrupts its as-run record', async () => {
  await assertSmall(clockSkew, 1)
})
