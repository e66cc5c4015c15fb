import { test } from 'node:test'
import { assertSabotageIsFound, assertSmall } from '../proofs/proof.ts'
import { delayedOutputs } from './proof.ts'

test('a delayed output is its channel the delay earlier, at every minute of a random history', async () => {
  await assertSmall(delayedOutputs, 1)
})

test('the proof fails when a delayed output shows what the channel shows now', async () => {
  await assertSabotageIsFound(delayedOutputs, 1)
})
