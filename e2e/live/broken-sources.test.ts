import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { brokenSources } from './broken-sources-proof.ts'

test('broken sources say what is wrong with them', async () => {
  await assertSmall(brokenSources, 1)
})
