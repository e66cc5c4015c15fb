import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { ingestAccept } from './proof.ts'

test('a program that was accepted is not lost with the process that accepted it', async () => {
  await assertSmall(ingestAccept, 1)
})
