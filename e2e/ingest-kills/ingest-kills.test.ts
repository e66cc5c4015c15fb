import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { ingestKills } from './proof.ts'

test('videos are packaged and published once although workers are killed', async () => {
  await assertSmall(ingestKills, 1)
})
