import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { driftingSource } from './drifting-source-proof.ts'

test('sources whose clocks drift lose or gain whole slots, and are never stretched', async () => {
  await assertSmall(driftingSource, 1)
})
