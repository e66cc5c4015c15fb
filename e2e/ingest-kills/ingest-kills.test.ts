import { test } from 'node:test'
import { assertSabotageIsFound, assertSmall } from '../proofs/proof.ts'
import { ingestKills } from './proof.ts'

test('videos survive workers that are killed, and are published once', async () => {
  await assertSmall(ingestKills, 1)
})

test('the proof goes red when jobs of killed workers are not tried again', async () => {
  await assertSabotageIsFound(ingestKills, 1)
})
