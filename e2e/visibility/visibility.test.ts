import { test } from 'node:test'
import { assertSabotageIsFound, assertSmall } from '../proofs/proof.ts'
import { visibility } from './proof.ts'

test('a device without a user sees exactly what is public at that time', async () => {
  await assertSmall(visibility, 1)
})

test('the proof goes red when videos of every status but DRAFT are public', async () => {
  await assertSabotageIsFound(visibility, 1)
})
