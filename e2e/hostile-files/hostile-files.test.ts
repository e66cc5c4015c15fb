import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { hostileFiles } from './proof.ts'

test('no file reaches an internal address or another file, or stops a worker', async () => {
  await assertSmall(hostileFiles, 1)
})
