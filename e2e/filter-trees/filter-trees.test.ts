import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { filterTrees } from './proof.ts'

test('what the database finds is what the definition of a search says', async () => {
  await assertSmall(filterTrees, 1)
})
