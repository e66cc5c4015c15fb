import { test } from 'node:test'
import { assertSabotageIsFound, assertSmall } from '../proofs/proof.ts'
import { stolenPlayoutCredential } from './proof.ts'

test('the NATS credential of a playout node does not let an attacker disturb the feed', async () => {
  await assertSmall(stolenPlayoutCredential, 1)
})

test('the proof goes red when nodes share the account of the control room and signatures are not checked', async () => {
  await assertSabotageIsFound(stolenPlayoutCredential, 1)
})
