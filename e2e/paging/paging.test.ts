import { test } from 'node:test'
import { assertSabotageIsFound, assertSmall } from '../proofs/proof.ts'
import { paging } from './proof.ts'

test('no list skips or repeats a record that kept its position while others were created, moved and deleted', async () => {
  await assertSmall(paging, 1)
})

test('the proof goes red when a page begins with the last row of the page before', async () => {
  await assertSabotageIsFound(paging, 1)
})
