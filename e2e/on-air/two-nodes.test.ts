import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { twoNodes } from './two-nodes-proof.ts'

test('two nodes answer the same bytes at any instant', async () => {
  await assertSmall(twoNodes, 1)
})
