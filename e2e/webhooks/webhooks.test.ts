import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { webhooks } from './proof.ts'

test('events reach webhooks through killed workers, and bad endpoints hold up nobody else', async () => {
  await assertSmall(webhooks, 1)
})
