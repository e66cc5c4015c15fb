import { test } from 'node:test'
import { assertSabotageIsFound, assertSmall } from '../proofs/proof.ts'
import { ingestShapes } from './proof.ts'

test('files of all shapes go through the API and play in a browser', async () => {
  await assertSmall(ingestShapes, 1)
})

test('the proof goes red when a package is published without one of its segments', async () => {
  await assertSabotageIsFound(ingestShapes, 1)
})
