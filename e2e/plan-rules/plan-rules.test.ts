import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { planRules } from './plan-rules-proof.ts'

test('plans of random rules keep them, and are the same in portions', async () => {
  await assertSmall(planRules, 1)
})
