import { test } from 'node:test'
import { assertSabotageIsFound, assertSmall } from '../proofs/proof.ts'
import { controlRoomGone } from './control-room-gone-proof.ts'

test('channels play on for a day without their control room', async () => {
  await assertSmall(controlRoomGone, 1)
})

test('the proof goes red when a node stays with what it unpacked first', async () => {
  await assertSabotageIsFound(controlRoomGone, 1)
})
