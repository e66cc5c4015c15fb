import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { databaseFaults } from './proof.ts'

test('whatever happens to the database, requests get 503 until it is back, and nothing is lost', async () => {
  await assertSmall(databaseFaults, 1)
})
