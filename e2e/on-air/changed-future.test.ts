import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { changedFuture } from './changed-future-proof.ts'

test('what is scheduled can change, and what was shown never does', async () => {
  await assertSmall(changedFuture, 1)
})
