import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { liveAlone } from './live-alone-proof.ts'

test('a channel stays live without PostgreSQL, the API and the worker, and its break ends', async () => {
  await assertSmall(liveAlone, 1)
})
