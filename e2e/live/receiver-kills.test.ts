import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { receiverKills } from './receiver-kills-proof.ts'

test('another receiver continues the log of one that is killed, and one that wakes up writes nothing', async () => {
  await assertSmall(receiverKills, 1)
})
