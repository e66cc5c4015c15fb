import { test } from 'node:test'
import { assertSabotageIsFound, assertSmall } from '../proofs/proof.ts'
import { restore } from './restore-proof.ts'

test('nodes follow a restored database, and viewers notice nothing', async () => {
  await assertSmall(restore, 1)
})

test('the proof goes red when a restored database does not adopt what was published since the backup', async () => {
  await assertSabotageIsFound(restore, 1)
})
