import type { Actor } from '../../platform/actor.ts'
import type { SecretBox } from '../../platform/crypto/secret-box.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { recordWebhookWrite } from './record-write.ts'
import { requireWebhookLocked } from './require-webhook.ts'
import { sealSecret } from './sealed-secret.ts'
import { newSecret } from './signature.ts'
import { updateWebhook, type Webhook } from './store.ts'

/** Returns the new secret, which signs immediately. The previous one also signs for `previousMs`. */
export async function rotateSecret(
  tx: Transaction,
  actor: Actor,
  webhookId: string,
  previousMs: number,
  box: SecretBox | undefined,
): Promise<{ readonly webhook: Webhook; readonly secret: Buffer }> {
  const before = await requireWebhookLocked(tx, actor.accountId, webhookId)
  const secret = newSecret()
  const kept = previousMs > 0
  const webhook = await updateWebhook(
    tx,
    before,
    {
      secret: sealSecret(box, before, secret),
      previousSecret: kept ? before.secret : null,
      previousSecretUntilMs: kept ? actor.nowMs + previousMs : null,
    },
    actor,
  )
  await recordWebhookWrite(tx, actor, { before, after: webhook }, 'rotate_secret')
  return { webhook, secret }
}
