import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { visibility } from './proof.ts'

test('a device without a user sees exactly what is public at that time', async () => {
  await assertSmall(visibility, 1)
})
