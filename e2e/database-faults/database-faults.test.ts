import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { databaseFaults } from './proof.ts'

test('requests get 503 while the database is unavailable, and no acknowledged write is lost', async () => {
  await assertSmall(databaseFaults, 1)
})
