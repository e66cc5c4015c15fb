import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { stolenPlayoutCredential } from './proof.ts'

test('with the NATS credential of a playout node nobody disturbs the feed', async () => {
  await assertSmall(stolenPlayoutCredential, 1)
})
