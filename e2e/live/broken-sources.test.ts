import { test } from 'node:test'
import { assertSabotageIsFound, assertSmall } from '../proofs/proof.ts'
import { brokenSources } from './broken-sources-proof.ts'

test('broken sources say what is wrong with them', async () => {
  await assertSmall(brokenSources, 1)
})

test('the proof goes red when recordings are taken for live', async () => {
  await assertSabotageIsFound(brokenSources, 1)
})
