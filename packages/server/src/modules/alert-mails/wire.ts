import type { AnswerOf, BodyOf, Operations } from '@continuity/contract'
import { REMINDER_DEFAULT_S } from '@continuity/core/alerts/limits'
import type { MailRow } from './mail-store.ts'
import type { Recipient, RecipientFields } from './store.ts'

export type WireRecipient = AnswerOf<Operations['getAlertRecipient']>
export type WireMail = AnswerOf<Operations['listAlertMails']>['hits'][number]

/** The record as it is audited: without the delivery state. */
export const toWireRecord = (recipient: Recipient): Omit<WireRecipient, 'failing_since'> => ({
  alert_recipient_id: recipient.recipientId,
  address: recipient.address,
  description: recipient.description,
  minimum_severity: recipient.minimumSeverity,
  time_zone: recipient.timeZone,
  quiet_hours: recipient.quietHours.map(({ severities, from, to }) => ({
    severities: [...severities],
    from,
    to,
  })),
  reminder_s: recipient.reminderMs === null ? null : recipient.reminderMs / 1_000,
  status: recipient.status,
  created_date: timeOf(recipient.createdMs),
  created_user_id: recipient.createdUserId,
  last_updated: timeOf(recipient.updatedMs),
  last_modified_user_id: recipient.updatedUserId,
})

export const toWireRecipient = (recipient: Recipient, failingSinceMs: number | undefined): WireRecipient => ({
  ...toWireRecord(recipient),
  failing_since: timeOrNull(failingSinceMs ?? null),
})

export const toWireMail = (row: MailRow): WireMail => ({
  mail_id: row.mail_id,
  kind: row.kind,
  subject: row.subject,
  text: row.body,
  alert_ids: row.alert_ids,
  composed_at: timeOf(row.composed_ms),
  state: row.state,
  attempts: row.attempts,
  next_attempt_at: timeOrNull(row.ready_ms),
  last_attempt:
    row.attempt_ms === null
      ? null
      : {
          at: timeOf(row.attempt_ms),
          address: row.attempt_address ?? '',
          duration_ms: row.duration_ms ?? 0,
          error: row.error_code,
          response: row.response ?? '',
        },
})

export const readDraft = (
  body: BodyOf<Operations['createAlertRecipient']>,
): Omit<RecipientFields, 'status'> => ({
  description: '',
  minimumSeverity: 'WARNING',
  timeZone: 'UTC',
  quietHours: [],
  reminderMs: REMINDER_DEFAULT_S * 1_000,
  address: body.address,
  ...readChanges(body),
})

/** Only the fields that were sent. */
export function readChanges(body: BodyOf<Operations['changeAlertRecipient']>): Partial<RecipientFields> {
  const { minimum_severity, time_zone, quiet_hours, reminder_s, ...changes } = body
  return {
    ...changes,
    ...(minimum_severity === undefined ? {} : { minimumSeverity: minimum_severity }),
    ...(time_zone === undefined ? {} : { timeZone: time_zone }),
    ...(quiet_hours === undefined ? {} : { quietHours: quiet_hours }),
    ...(reminder_s === undefined ? {} : { reminderMs: reminder_s === null ? null : reminder_s * 1_000 }),
  }
}

const timeOf = (ms: number): string => new Date(ms).toISOString()
const timeOrNull = (ms: number | null): string | null => (ms === null ? null : timeOf(ms))
