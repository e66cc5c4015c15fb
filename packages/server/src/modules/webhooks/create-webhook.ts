import { WEBHOOKS_MAXIMUM } from '@continuity/core/webhooks/limits'
import type { Actor } from '../../platform/actor.ts'
import { newId } from '../../platform/crypto/ids.ts'
import type { SecretBox } from '../../platform/crypto/secret-box.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { readCursorNow } from '../events/read.ts'
import { TooManyWebhooks } from './errors.ts'
import { insertProgress } from './progress-store.ts'
import { recordWebhookWrite } from './record-write.ts'
import { requireAddress } from './require-address.ts'
import { sealSecret } from './sealed-secret.ts'
import { newSecret } from './signature.ts'
import { countWebhooksLocked, insertWebhook, type Webhook, type WebhookFields } from './store.ts'

export type WebhookDraft = Pick<WebhookFields, 'url' | 'description' | 'kinds'>

/** Allowed clock difference between two processes, so that no event is lost to it. */
const CLOCKS_MS = 2_000

/** Creates a webhook that receives events from now on. Returns its secret, which is never shown again. */
export async function createWebhook(
  tx: Transaction,
  actor: Actor,
  draft: WebhookDraft,
  box: SecretBox | undefined,
): Promise<{ readonly webhook: Webhook; readonly secret: Buffer }> {
  const { accountId, nowMs } = actor
  requireAddress(draft.url)
  const key = { accountId, webhookId: newId(nowMs) }
  const secret = newSecret()
  const sealed = sealSecret(box, key, secret)
  if ((await countWebhooksLocked(tx, accountId)) >= WEBHOOKS_MAXIMUM) throw TooManyWebhooks()
  const fields: WebhookFields = {
    ...draft,
    status: 'ACTIVE',
    statusReason: null,
    statusMs: nowMs,
    secret: sealed,
    previousSecret: null,
    previousSecretUntilMs: null,
  }
  const webhook = await insertWebhook(tx, key, fields, actor)
  await insertProgress(tx, key, await readCursorNow(tx), nowMs - CLOCKS_MS)
  await recordWebhookWrite(tx, actor, { before: null, after: webhook })
  return { webhook, secret }
}
