import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { bulkOverride } from './bulk-override-proof.ts'

test('one call cuts many channels, and repeated after a kill it cuts every channel once', async () => {
  await assertSmall(bulkOverride, 1)
})
