import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { snapshotCorruption } from './proof.ts'

test('with a corrupt snapshot a node loses at most the damaged channels, and never returns a wrong playlist', async () => {
  await assertSmall(snapshotCorruption, 1)
})
