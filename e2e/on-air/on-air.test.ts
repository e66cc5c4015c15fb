import { test } from 'node:test'
import { assertSabotageIsFound, assertSmall } from '../proofs/proof.ts'
import { onAir } from './on-air-proof.ts'

test('what is scheduled by the API is on air at its second and plays everywhere', async () => {
  await assertSmall(onAir, 1)
})

test('the proof goes red when ad pods are too short', async () => {
  await assertSabotageIsFound(onAir, 1)
})
