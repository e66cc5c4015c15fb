import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { paging } from './proof.ts'

test('no list skips or repeats a record that kept its position while others were created, moved and deleted', async () => {
  await assertSmall(paging, 1)
})
