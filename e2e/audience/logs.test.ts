import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { audienceLogs } from './logs-proof.ts'

test('minutes watched behind caches are exact, imported in overlapping parts', async () => {
  await assertSmall(audienceLogs, 1)
})
