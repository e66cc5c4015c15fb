import { test } from 'node:test'
import { assertSabotageIsFound, assertSmall } from '../proofs/proof.ts'
import { bulkOverride } from './bulk-override-proof.ts'

test('one call cuts many channels, and repeated after a kill it cuts every channel once', async () => {
  await assertSmall(bulkOverride, 1)
})

test('the proof goes red when the results of items are not kept', async () => {
  await assertSabotageIsFound(bulkOverride, 1)
})
