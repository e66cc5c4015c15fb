import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { ingestAccept } from './proof.ts'

test('an accepted program survives a crash of the process that accepted it', async () => {
  await assertSmall(ingestAccept, 1)
})
