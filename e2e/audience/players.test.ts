import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { audiencePlayers } from './players-proof.ts'

test('minutes watched by real players are what they measure themselves', async () => {
  await assertSmall(audiencePlayers, 1)
})
