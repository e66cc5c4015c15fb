import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { consoleLatency } from './proof.ts'

test('the wall and the schedule react to every input, and their memory does not grow', async () => {
  await assertSmall(consoleLatency, 1)
})
