import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { redundantSource } from './redundant-source-proof.ts'

test('a source with two inputs has media in every slot while one of them lives', async () => {
  await assertSmall(redundantSource, 1)
})
