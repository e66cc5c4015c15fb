import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { events } from './proof.ts'

test('followers receive what is committed, in time and in order, whatever is killed', async () => {
  await assertSmall(events, 1)
})
