import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { hostileAddresses } from './proof.ts'

test('no address, however it is written or led to, gets a connection to the inside', async () => {
  await assertSmall(hostileAddresses, 1)
})
