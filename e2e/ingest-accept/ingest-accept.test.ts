import { test } from 'node:test'
import { assertSabotageIsFound, assertSmall } from '../proofs/proof.ts'
import { ingestAccept } from './proof.ts'

test('a program that was accepted is not lost with the process that accepted it', async () => {
  await assertSmall(ingestAccept, 1)
})

test('the proof goes red when a program is answered before it is committed', async () => {
  await assertSabotageIsFound(ingestAccept, 1)
})
