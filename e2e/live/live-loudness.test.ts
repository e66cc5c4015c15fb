import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { liveLoudness } from './live-loudness-proof.ts'

test('normalised sound of quiet, loud, dynamic and changing sources is at its target', async () => {
  await assertSmall(liveLoudness, 1)
})
