import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { hostileAddresses } from './proof.ts'

test('no notation, redirect or name leads to a connection to the internal network', async () => {
  await assertSmall(hostileAddresses, 1)
})
