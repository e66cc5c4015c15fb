import { test } from 'node:test'
import { assertSabotageIsFound, assertSmall } from '../proofs/proof.ts'
import { killedTestRuns } from './proof.ts'

test('a killed test run leaves no process and no folder behind', async () => {
  await assertSmall(killedTestRuns, 1)
})

test('the proof fails when processes of a run are not found', async () => {
  await assertSabotageIsFound(killedTestRuns, 1)
})
