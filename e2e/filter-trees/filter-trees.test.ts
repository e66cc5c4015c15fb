import { test } from 'node:test'
import { assertSabotageIsFound, assertSmall } from '../proofs/proof.ts'
import { filterTrees } from './proof.ts'

test('searches find what a model of the filter finds by looking at every video', async () => {
  await assertSmall(filterTrees, 1)
})

test('the proof goes red when the database compares gt as gte', async () => {
  await assertSabotageIsFound(filterTrees, 1)
})
