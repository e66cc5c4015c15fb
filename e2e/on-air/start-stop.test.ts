import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { startStop } from './start-stop-proof.ts'

test('channels are started and stopped in any order, and status and playlist always agree', async () => {
  await assertSmall(startStop, 1)
})
