import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { liveSource } from './live-source-proof.ts'

test('a source is activated, fills its slots, and leaves nothing running when it is deactivated', async () => {
  await assertSmall(liveSource, 1)
})
