import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { liveLatency } from './live-latency-proof.ts'

test('a playout node receives a slot of a live source before it would be fill', async () => {
  await assertSmall(liveLatency, 1)
})
