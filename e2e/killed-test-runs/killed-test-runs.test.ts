import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { killedTestRuns } from './proof.ts'

test('a killed test run leaves no process and no folder behind', async () => {
  await assertSmall(killedTestRuns, 1)
})
