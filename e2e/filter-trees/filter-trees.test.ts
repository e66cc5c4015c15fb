import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { filterTrees } from './proof.ts'

test('searches find what a model of the filter finds by looking at every video', async () => {
  await assertSmall(filterTrees, 1)
})
