import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { hostileStreams } from './hostile-streams-proof.ts'

test('no stream reaches an internal address or a file, or stops a receiver', async () => {
  await assertSmall(hostileStreams, 1)
})
