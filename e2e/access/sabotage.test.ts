import { test } from 'node:test'
import { assertSabotageIsFound } from '../proofs/proof.ts'
import { access } from './proof.ts'

test('the proof goes red when channels of any account can be read, and with any role', async () => {
  await assertSabotageIsFound(access, 1)
})
