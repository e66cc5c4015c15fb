import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { ingestShapes } from './proof.ts'

test('files of all shapes are ingested through the API and play in a browser', async () => {
  await assertSmall(ingestShapes, 1)
})
