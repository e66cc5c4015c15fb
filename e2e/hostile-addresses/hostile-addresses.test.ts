import { test } from 'node:test'
import { assertSabotageIsFound, assertSmall } from '../proofs/proof.ts'
import { hostileAddresses } from './proof.ts'

test('no notation, redirect or name leads to a connection to the internal network', async () => {
  await assertSmall(hostileAddresses, 1)
})

test('the proof fails when the addresses of a name are not checked', async () => {
  await assertSabotageIsFound(hostileAddresses, 1)
})
