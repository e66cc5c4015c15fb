import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { channelWalk } from './walk-proof.ts'

test('channels run for a day without a word from a careful player', async () => {
  await assertSmall(channelWalk, 1)
})
