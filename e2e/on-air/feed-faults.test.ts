import { test } from 'node:test'
import { assertSabotageIsFound, assertSmall } from '../proofs/proof.ts'
import { feedFaults } from './feed-faults-proof.ts'

test('the feed fails, nodes play on, and every change is on both after its return', async () => {
  await assertSmall(feedFaults, 1)
})

test('the proof goes red when a node does not count what it had to take back', async () => {
  await assertSabotageIsFound(feedFaults, 1)
})
