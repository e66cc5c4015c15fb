import { test } from 'node:test'
import { assertSabotageIsFound, assertSmall } from '../proofs/proof.ts'
import { logins } from './login-proof.ts'

test('an attack on one login costs ten hashes at most, and no other user notices', async () => {
  await assertSmall(logins, 1)
})

test('the proof goes red when wrong passwords are counted for each address alone', async () => {
  await assertSabotageIsFound(logins, 1)
})
