import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { ingestKills } from './proof.ts'

test('videos survive workers that are killed, and are published once', async () => {
  await assertSmall(ingestKills, 1)
})
