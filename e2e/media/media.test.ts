import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { media } from './proof.ts'

test('files of many shapes become packages that nothing is wrong with', async () => {
  await assertSmall(media, 1)
})
