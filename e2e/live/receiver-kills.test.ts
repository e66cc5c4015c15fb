import { test } from 'node:test'
import { assertSabotageIsFound, assertSmall } from '../proofs/proof.ts'
import { receiverKills } from './receiver-kills-proof.ts'

test('another receiver continues the log of one that is killed, and one that wakes up writes nothing', async () => {
  await assertSmall(receiverKills, 1)
})

test('the proof goes red when a lease lasts for half a minute', async () => {
  await assertSabotageIsFound(receiverKills, 1)
})
