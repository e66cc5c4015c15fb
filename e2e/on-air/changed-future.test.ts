import { test } from 'node:test'
import { assertSabotageIsFound, assertSmall } from '../proofs/proof.ts'
import { changedFuture } from './changed-future-proof.ts'

test('what is scheduled can change, and what was shown never does', async () => {
  await assertSmall(changedFuture, 1)
})

test('the proof goes red when changes have no effect on what is planned already', async () => {
  await assertSabotageIsFound(changedFuture, 1)
})
