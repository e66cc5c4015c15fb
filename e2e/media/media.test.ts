import { test } from 'node:test'
import { assertSabotageIsFound, assertSmall } from '../proofs/proof.ts'
import { media } from './proof.ts'

test('files of many shapes are packaged without a fault', async () => {
  await assertSmall(media, 1)
})

test('the proof fails when pictures are encoded with B-frames', async () => {
  await assertSabotageIsFound(media, 1)
})
