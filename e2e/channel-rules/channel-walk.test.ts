import { test } from 'node:test'
import { assertSabotageIsFound, assertSmall } from '../proofs/proof.ts'
import { channelWalk } from './walk-proof.ts'

test('channels run for hours without a violation', async () => {
  await assertSmall(channelWalk, 1)
})

test('the proof fails when discontinuities are left out of the discontinuity sequence', async () => {
  await assertSabotageIsFound(channelWalk, 1)
})
