import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { idempotency } from './proof.ts'

test('a request is carried out once, however often it is sent with its Idempotency-Key', async () => {
  await assertSmall(idempotency, 1)
})
