import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { snapshotCorruption } from './proof.ts'

test('a corrupt snapshot costs a node the channels that were damaged at most, and never gives a wrong playlist', async () => {
  await assertSmall(snapshotCorruption, 1)
})
