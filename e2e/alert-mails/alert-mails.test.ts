import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { alertMails } from './proof.ts'

test('alerts are mailed through killed workers, and a bad mail server holds up nobody else', async () => {
  await assertSmall(alertMails, 1)
})
