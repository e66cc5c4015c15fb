import { test } from 'node:test'
import { assertSabotageIsFound, assertSmall } from '../proofs/proof.ts'
import { jobs } from './proof.ts'

test('jobs survive workers that are killed or stopped, and have their effect once', async () => {
  await assertSmall(jobs, 1)
})

test('the proof goes red when a worker completes a job that another worker has', async () => {
  await assertSabotageIsFound(jobs, 1)
})
