import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { feedFaults } from './feed-faults-proof.ts'

test('the feed fails, nodes play on, and every change is on both after its return', async () => {
  await assertSmall(feedFaults, 1)
})
