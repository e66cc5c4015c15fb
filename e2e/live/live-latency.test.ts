import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { liveLatency } from './live-latency-proof.ts'

test('a slot of a live source is known at a playout node before it would be fill', async () => {
  await assertSmall(liveLatency, 1)
})
