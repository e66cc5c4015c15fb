import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { media } from './proof.ts'

test('files of many shapes are packaged without a fault', async () => {
  await assertSmall(media, 1)
})
