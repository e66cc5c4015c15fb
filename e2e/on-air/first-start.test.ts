import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { firstStart } from './first-start-proof.ts'

test('the first channel of a new account starts while uploads take all lanes', async () => {
  await assertSmall(firstStart, 1)
})
