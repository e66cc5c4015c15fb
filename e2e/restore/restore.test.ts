import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { restore } from './restore-proof.ts'

test('a restored database is followed by the nodes, and no viewer notices', async () => {
  await assertSmall(restore, 1)
})
