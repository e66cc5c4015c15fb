import { test } from 'node:test'
import { assertSabotageIsFound, assertSmall } from '../proofs/proof.ts'
import { startStop } from './start-stop-proof.ts'

test('channels are started and stopped in any order, and status and playlist always agree', async () => {
  await assertSmall(startStop, 1)
})

test('the proof goes red when a channel is reported on air before its playlists continue', async () => {
  await assertSabotageIsFound(startStop, 1)
})
