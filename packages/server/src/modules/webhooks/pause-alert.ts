import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { closeAlert, openAlert } from '../alerts/index.ts'
import type { Webhook } from './store.ts'

const subjectOf = ({ webhookId }: Pick<Webhook, 'webhookId'>) => ({
  code: 'webhook.paused' as const,
  subjectType: 'webhook',
  subjectId: webhookId,
})

const why = {
  GONE: 'answered 410 Gone',
  FAILING: 'has failed for 24 hours',
} as const

/** Opens the alert for a webhook that the platform has paused. */
export const openPauseAlert = (
  tx: Transaction,
  actor: Actor,
  webhook: Webhook,
  reason: keyof typeof why,
): Promise<void> =>
  openAlert(tx, actor, {
    ...subjectOf(webhook),
    severity: 'WARNING',
    message: `The webhook to ${new URL(webhook.url).host} ${why[reason]} and is paused. Resume it to send its pending deliveries.`,
  })

export const closePauseAlert = (tx: Transaction, actor: Actor, webhook: Webhook): Promise<void> =>
  closeAlert(tx, actor, subjectOf(webhook))
