import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { twoNodes } from './two-nodes-proof.ts'

test('two nodes return the same bytes at any time, also one restarted from its disk', async () => {
  await assertSmall(twoNodes, 1)
})
