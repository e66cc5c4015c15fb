import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { events } from './proof.ts'

test('followers receive every committed event in time and in order, whichever process is killed', async () => {
  await assertSmall(events, 1)
})
