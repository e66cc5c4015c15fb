import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { onAir } from './on-air-proof.ts'

test('what is scheduled by the API is on air at its second and plays everywhere', async () => {
  await assertSmall(onAir, 1)
})
