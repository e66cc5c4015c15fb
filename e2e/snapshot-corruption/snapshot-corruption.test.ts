import { test } from 'node:test'
import { assertSabotageIsFound, assertSmall } from '../proofs/proof.ts'
import { snapshotCorruption } from './proof.ts'

test('a corrupt snapshot costs a node the channels that were damaged at most, and never gives a wrong playlist', async () => {
  await assertSmall(snapshotCorruption, 1)
})

test('the proof goes red when a node stops reading at the first corrupt frame', async () => {
  await assertSabotageIsFound(snapshotCorruption, 1)
})
