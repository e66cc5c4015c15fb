import { test } from 'node:test'
import { assertSabotageIsFound, assertSmall } from '../proofs/proof.ts'
import { hostileAddresses } from './proof.ts'

test('no address, however it is written or led to, gets a connection to the internal network', async () => {
  await assertSmall(hostileAddresses, 1)
})

test('the proof goes red when the addresses of a name are not checked', async () => {
  await assertSabotageIsFound(hostileAddresses, 1)
})
