import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { restore } from './restore-proof.ts'

test('nodes follow a restored database, and viewers notice nothing', async () => {
  await assertSmall(restore, 1)
})
