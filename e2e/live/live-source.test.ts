import { test } from 'node:test'
import { assertSabotageIsFound, assertSmall } from '../proofs/proof.ts'
import { liveSource } from './live-source-proof.ts'

test('a source is activated, fills its slots, and leaves nothing running when it is deactivated', async () => {
  await assertSmall(liveSource, 1)
})

test('the proof goes red when every other slot is passed over', async () => {
  await assertSabotageIsFound(liveSource, 1)
})
