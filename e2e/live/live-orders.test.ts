import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { liveOrders } from './live-orders-proof.ts'

test('random orders, races of operators and a killed NATS leave one history and unbroken playlists', async () => {
  await assertSmall(liveOrders, 1)
})
