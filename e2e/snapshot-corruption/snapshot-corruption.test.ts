import { test } from 'node:test'
import { assertSabotageIsFound, assertSmall } from '../proofs/proof.ts'
import { snapshotCorruption } from './proof.ts'

test('with a corrupt snapshot a node loses at most the damaged channels, and never returns a wrong playlist', async () => {
  await assertSmall(snapshotCorruption, 1)
})

test('the proof fails when a node stops reading at the first corrupt frame', async () => {
  await assertSabotageIsFound(snapshotCorruption, 1)
})
