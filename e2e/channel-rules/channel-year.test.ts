import { test } from 'node:test'
import { assertSabotageIsFound, assertSmall } from '../proofs/proof.ts'
import { channelYear } from './year-proof.ts'

test('months on the air make no program late and no timeline large', async () => {
  await assertSmall(channelYear, 1)
})

test('the proof goes red when slates run past the start of the next program', async () => {
  await assertSabotageIsFound(channelYear, 1)
})
