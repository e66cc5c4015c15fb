import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { idempotency } from './proof.ts'

test('an order under one key is carried out once, whatever happens to its copies', async () => {
  await assertSmall(idempotency, 1)
})
