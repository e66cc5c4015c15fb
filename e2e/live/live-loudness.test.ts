import { test } from 'node:test'
import { assertSabotageIsFound, assertSmall } from '../proofs/proof.ts'
import { liveLoudness } from './live-loudness-proof.ts'

test('normalised sound of quiet, loud, dynamic and changing sources is at its target', async () => {
  await assertSmall(liveLoudness, 1)
})

test('the proof fails when the gain is not applied', async () => {
  await assertSabotageIsFound(liveLoudness, 1)
})
