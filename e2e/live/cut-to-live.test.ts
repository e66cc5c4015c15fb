import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { cutToLive } from './cut-to-live-proof.ts'

test('a channel is cut to live, through breaks and a stall, to its rescue slate, and back', async () => {
  await assertSmall(cutToLive, 1)
})
