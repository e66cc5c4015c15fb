import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { channelHistories } from './histories-proof.ts'

test('all nodes return the same playlists through any history, and they match the as-run record', async () => {
  await assertSmall(channelHistories, 1)
})
