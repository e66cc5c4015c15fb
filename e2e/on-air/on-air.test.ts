import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { onAir } from './on-air-proof.ts'

test('programs scheduled by the API are on air at their second and play in all players', async () => {
  await assertSmall(onAir, 1)
})
