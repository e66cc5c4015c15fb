import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { audienceCounting } from './counting-proof.ts'

test('minutes watched are exact, through kills of everything', async () => {
  await assertSmall(audienceCounting, 1)
})
