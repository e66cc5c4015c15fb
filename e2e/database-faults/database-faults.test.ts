import { test } from 'node:test'
import { assertSabotageIsFound, assertSmall } from '../proofs/proof.ts'
import { databaseFaults } from './proof.ts'

test('whatever happens to the database, requests get 503 until it is back, and nothing is lost', async () => {
  await assertSmall(databaseFaults, 1)
})

test('the proof goes red when a refused connection is not known as an outage', async () => {
  await assertSabotageIsFound(databaseFaults, 1)
})
