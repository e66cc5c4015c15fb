import { test } from 'node:test'
import { assertSabotageIsFound, assertSmall } from '../proofs/proof.ts'
import { ingestAccept } from './proof.ts'

test('an accepted program survives a crash of the process that accepted it', async () => {
  await assertSmall(ingestAccept, 1)
})

test('the proof fails when a program is answered before it is committed', async () => {
  await assertSabotageIsFound(ingestAccept, 1)
})
