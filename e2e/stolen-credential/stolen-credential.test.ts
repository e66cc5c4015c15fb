import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { stolenPlayoutCredential } from './proof.ts'

test('the NATS credential of a playout node does not let an attacker disturb the feed', async () => {
  await assertSmall(stolenPlayoutCredential, 1)
})
