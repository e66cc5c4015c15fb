import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { channelYear } from './year-proof.ts'

test('a year makes no program late and no timeline large', async () => {
  await assertSmall(channelYear, 1)
})
