import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { delayedOutputs } from './proof.ts'

test('a delayed output is its channel the delay earlier, at every minute of a random history', async () => {
  await assertSmall(delayedOutputs, 1)
})
