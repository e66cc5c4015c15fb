import { test } from 'node:test'
import { assertSabotageIsFound, assertSmall } from '../proofs/proof.ts'
import { channelYear } from './year-proof.ts'

test('after months on air no program is late and the timeline has not grown', async () => {
  await assertSmall(channelYear, 1)
})

test('the proof fails when slates run past the start of the next program', async () => {
  await assertSabotageIsFound(channelYear, 1)
})
