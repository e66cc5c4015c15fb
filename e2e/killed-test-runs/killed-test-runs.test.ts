import { test } from 'node:test'
import { assertSabotageIsFound, assertSmall } from '../proofs/proof.ts'
import { killedTestRuns } from './proof.ts'

test('a test run that is killed leaves no process and no folder behind', async () => {
  await assertSmall(killedTestRuns, 1)
})

test('the proof goes red when processes of a run are not found', async () => {
  await assertSabotageIsFound(killedTestRuns, 1)
})
