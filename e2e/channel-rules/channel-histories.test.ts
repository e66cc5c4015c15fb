import { test } from 'node:test'
import { assertSabotageIsFound, assertSmall } from '../proofs/proof.ts'
import { channelHistories } from './histories-proof.ts'

test('all nodes return the same playlists through any history, and they are what was played', async () => {
  await assertSmall(channelHistories, 1)
})

test('the proof goes red when no playlist is ever rendered', async () => {
  await assertSabotageIsFound(channelHistories, 1)
})
