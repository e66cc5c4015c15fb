import { TESTS_PER_HOUR } from '@continuity/core/alerts/limits'
import { testMailText } from '@continuity/core/alerts/mail-text'
import type { Actor } from '../../platform/actor.ts'
import { newId } from '../../platform/crypto/ids.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { getAccount } from '../accounts/read.ts'
import { RecipientPaused, TooManyTests } from './errors.ts'
import { countTestsSince, insertMail } from './mail-store.ts'
import { lockProgress, updateProgress } from './progress-store.ts'
import { requireRecipientLocked } from './require-recipient.ts'
import { countRecipientsLocked } from './store.ts'

const HOUR_MS = 3_600_000

/** Queues a test mail and returns its id. It is independent of mails about alerts. */
export async function sendTest(tx: Transaction, actor: Actor, recipientId: string): Promise<string> {
  const { accountId, nowMs } = actor
  const recipient = await requireRecipientLocked(tx, accountId, recipientId)
  if (recipient.status === 'PAUSED') throw RecipientPaused()
  // Takes the account's advisory lock, so that concurrent tests cannot exceed the limit.
  await countRecipientsLocked(tx, accountId)
  if ((await countTestsSince(tx, accountId, nowMs - HOUR_MS)) >= TESTS_PER_HOUR) throw TooManyTests()
  await lockProgress(tx, recipient)
  const { title } = await getAccount(tx, accountId)
  const { subject, text } = testMailText({ account: title })
  const mailId = newId(nowMs)
  await insertMail(tx, recipient, {
    mailId,
    kind: 'TEST',
    subject,
    body: text,
    alertIds: [],
    composedMs: nowMs,
  })
  await updateProgress(tx, recipient, { due_ms: nowMs, not_before_ms: 0 })
  return mailId
}
