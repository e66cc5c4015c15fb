import { test } from 'node:test'
import { assertSmall } from '../proofs/proof.ts'
import { alertMails } from './proof.ts'

test('alerts are mailed although workers are killed, and a bad mail server does not delay other accounts', async () => {
  await assertSmall(alertMails, 1)
})
