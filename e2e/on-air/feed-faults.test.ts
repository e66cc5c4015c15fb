import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { feedFaults } from './feed-faults-proof.ts'

test('the feed breaks, nodes play on, and it is whole again within 10 s of its return', async () => {
  await assertSmall(feedFaults, 1)
})
