import { test } from 'node:test'
import { assertSabotageIsFound, assertSmall } from '../proofs/proof.ts'
import { liveAlone } from './live-alone-proof.ts'

test('a channel stays live without PostgreSQL, the API and the worker, and its break ends', async () => {
  await assertSmall(liveAlone, 1)
})

test('the proof goes red when the log is not copied', async () => {
  await assertSabotageIsFound(liveAlone, 1)
})
