import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { refreshes } from './refresh-proof.ts'

test('a refresh credential has one successor, and a reused one ends its session in all processes', async () => {
  await assertSmall(refreshes, 1)
})
