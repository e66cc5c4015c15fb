import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { lostLiveLog } from './proof.ts'

test('the log of a live source is whole again after NATS has lost its store', async () => {
  await assertSmall(lostLiveLog, 1)
})
