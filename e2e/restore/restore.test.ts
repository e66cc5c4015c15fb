import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { restore } from './restore-proof.ts'

test('nodes follow a restored database without an interruption for viewers', async () => {
  await assertSmall(restore, 1)
})
