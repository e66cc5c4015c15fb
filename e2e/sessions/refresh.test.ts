import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { refreshes } from './refresh-proof.ts'

test('a refresh credential has one successor, and used twice it ends its session everywhere', async () => {
  await assertSmall(refreshes, 1)
})
