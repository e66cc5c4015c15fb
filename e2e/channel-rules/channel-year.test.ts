import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { channelYear } from './year-proof.ts'

test('after months on air no program is late and the timeline has not grown', async () => {
  await assertSmall(channelYear, 1)
})
