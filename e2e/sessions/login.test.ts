import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { logins } from './login-proof.ts'

test('an attack on one login causes ten hashes at most and does not delay other users', async () => {
  await assertSmall(logins, 1)
})
