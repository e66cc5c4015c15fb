import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { cuePoints } from './proof.ts'

test('breaks at cue points show the right frames', async () => {
  await assertSmall(cuePoints, 1)
})
