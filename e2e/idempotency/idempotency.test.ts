import { test } from 'node:test'
import { assertSabotageIsFound, assertSmall } from '../proofs/proof.ts'
import { idempotency } from './proof.ts'

test('a request is carried out once, however often it is sent with its Idempotency-Key', async () => {
  await assertSmall(idempotency, 1)
})

test('the proof goes red when a key that is in use is taken over', async () => {
  await assertSabotageIsFound(idempotency, 1)
})
