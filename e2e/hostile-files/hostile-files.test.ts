import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { hostileFiles } from './proof.ts'

test('no file, whatever it says or claims, reaches anything, or stops a worker', async () => {
  await assertSmall(hostileFiles, 1)
})
