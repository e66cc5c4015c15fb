import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { brokenSources } from './broken-sources-proof.ts'

test('broken sources report their faults', async () => {
  await assertSmall(brokenSources, 1)
})
