import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { changedFuture } from './changed-future-proof.ts'

test('changes of the schedule never change what was shown', async () => {
  await assertSmall(changedFuture, 1)
})
