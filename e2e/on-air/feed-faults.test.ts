import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { feedFaults } from './feed-faults-proof.ts'

test('nodes stay on air while the feed fails, and receive every change after it recovers', async () => {
  await assertSmall(feedFaults, 1)
})
