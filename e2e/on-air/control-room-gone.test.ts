import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { controlRoomGone } from './control-room-gone-proof.ts'

test('channels stay on air for a day without their control room', async () => {
  await assertSmall(controlRoomGone, 1)
})
