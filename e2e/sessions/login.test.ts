import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { logins } from './login-proof.ts'

test('an attack on one login costs ten hashes at most, and no other user notices', async () => {
  await assertSmall(logins, 1)
})
