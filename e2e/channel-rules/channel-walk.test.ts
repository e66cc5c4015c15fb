import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { channelWalk } from './walk-proof.ts'

test('channels run for hours without a violation', async () => {
  await assertSmall(channelWalk, 1)
})
