import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { jobs } from './proof.ts'

test('jobs survive workers that are killed or stopped, and have their effect once', async () => {
  await assertSmall(jobs, 1)
})
