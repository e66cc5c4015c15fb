import type { SecretBox } from '../../platform/crypto/secret-box.ts'
import { KeysMissing } from './errors.ts'
import type { WebhookKey } from './progress-store.ts'
import type { Webhook } from './store.ts'

/** Additional authenticated data: binds an encrypted secret to its webhook. */
const contextOf = ({ accountId, webhookId }: WebhookKey): string => `webhook ${accountId} ${webhookId}`

export function sealSecret(box: SecretBox | undefined, key: WebhookKey, secret: Buffer): Buffer {
  if (box === undefined) throw KeysMissing()
  return box.seal(secret, contextOf(key))
}

/** The secrets that sign at this time, the newest first; undefined if no configured key decrypts them. */
export function openSecrets(
  box: SecretBox | undefined,
  webhook: Webhook,
  nowMs: number,
): readonly Buffer[] | undefined {
  const { secret, previousSecret, previousSecretUntilMs } = webhook
  const isPreviousValid = previousSecret !== null && nowMs < (previousSecretUntilMs ?? 0)
  const opened = [secret, ...(isPreviousValid ? [previousSecret] : [])].map((sealed) =>
    box?.open(sealed, contextOf(webhook)),
  )
  return opened.every((each) => each !== undefined) ? opened : undefined
}
