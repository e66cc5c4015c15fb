import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { startStop } from './start-stop-proof.ts'

test('status and playlist agree after any sequence of starts and stops', async () => {
  await assertSmall(startStop, 1)
})
