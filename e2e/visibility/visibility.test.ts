import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { visibility } from './proof.ts'

test('whoever is nobody sees READY videos inside their window, to the millisecond, and nothing of any other', async () => {
  await assertSmall(visibility, 1)
})
