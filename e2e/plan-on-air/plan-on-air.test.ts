import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { planOnAir } from './proof.ts'

test('a channel plays by its rules, as its guide and its schedule announce', async () => {
  await assertSmall(planOnAir, 1)
})
