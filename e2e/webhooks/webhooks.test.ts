import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { webhooks } from './proof.ts'

test('events reach webhooks although workers are killed, and bad endpoints do not delay other accounts', async () => {
  await assertSmall(webhooks, 1)
})
