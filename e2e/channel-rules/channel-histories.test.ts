import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { channelHistories } from './histories-proof.ts'

test('whatever happens to a channel, all nodes tell the same, and it is what was played', async () => {
  await assertSmall(channelHistories, 1)
})
