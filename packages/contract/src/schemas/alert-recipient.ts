import { Type } from 'typebox'
import { alertSeverities } from './operations.ts'
import { countedPageOf, pageOf } from './page.ts'
import { count, seconds, text, timestamp } from './scalars.ts'
import { changeOf, named, nullable, oneOf, optional, shape } from './shape.ts'

const status = oneOf(['ACTIVE', 'PAUSED'], { description: 'A PAUSED recipient gets no mails.' })

const timeOfDay = (description: string) =>
  Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', description: `${description} Such as 22:00.` })

const QuietHours = named(
  'QuietHours',
  shape({
    severities: Type.Array(oneOf(alertSeverities), {
      minItems: 1,
      maxItems: alertSeverities.length,
      description: 'Alerts that wait; the others are mailed at any time.',
    }),
    from: timeOfDay('When they begin.'),
    to: timeOfDay('When they end; the next day where that is earlier.'),
  }),
)

/** A part of what mail allows: no quotes, no comments, ASCII. RFC 5321 §4.5.3.1 gives the lengths. */
const LABEL = '[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?'

const writable = {
  address: Type.String({
    maxLength: 254,
    pattern: `^[A-Za-z0-9.!#$%&'*+/=?^_\`{|}~-]{1,64}@${LABEL}(\\.${LABEL})*$`,
    description: 'E-mail address.',
  }),
  description: text('Description, or empty.'),
  minimum_severity: oneOf(alertSeverities, {
    description: 'Alerts that are less severe are not mailed. WARNING where it is left out.',
  }),
  time_zone: Type.String({
    minLength: 1,
    maxLength: 64,
    description:
      'Of the quiet hours and of the times in mails, such as `Europe/Berlin`. UTC where it is left out.',
  }),
  quiet_hours: Type.Array(QuietHours, {
    maxItems: alertSeverities.length,
    description: 'None where it is left out. Each severity is named once.',
  }),
  reminder_s: nullable(
    seconds('Between two mails about an alert that stays open; null for no reminders.', {
      minimum: 900,
      maximum: 604_800,
    }),
  ),
}

export const AlertRecipient = named(
  'AlertRecipient',
  shape({
    alert_recipient_id: Type.String(),
    ...writable,
    status,
    failing_since: nullable(timestamp('When the failures began that no success has ended.')),
    created_date: timestamp('When it was made.'),
    created_user_id: Type.String(),
    last_updated: timestamp('When it changed last.'),
    last_modified_user_id: Type.String(),
  }),
)
export const AlertRecipientPage = pageOf('AlertRecipientPage', AlertRecipient)
export const AlertRecipientDraft = named(
  'AlertRecipientDraft',
  shape({ ...optional(writable), address: writable.address }),
)
export const AlertRecipientChange = named('AlertRecipientChange', changeOf({ ...writable, status }))
export const AlertTestMail = named(
  'AlertTestMail',
  shape({ mail_id: Type.String({ description: 'Of the mail; in its Message-ID.' }) }),
)

export const mailStates = ['PENDING', 'SENT', 'FAILED'] as const

const AlertMail = named(
  'AlertMail',
  shape({
    mail_id: Type.String({ description: 'In its Message-ID.' }),
    kind: oneOf(['ALERTS', 'TEST']),
    subject: Type.String(),
    text: Type.String(),
    alert_ids: Type.Array(Type.String(), { description: 'Alerts that it reports.' }),
    composed_at: timestamp('When it was made.'),
    state: oneOf(mailStates, {
      description: 'FAILED: rejected for good by the mail server, or given up after 24 hours.',
    }),
    attempts: count('How often it was tried.'),
    next_attempt_at: nullable(timestamp('When it is tried next; null where it has ended.')),
    last_attempt: nullable(
      shape({
        at: timestamp('When it was made.'),
        address: Type.String(),
        duration_ms: count('Milliseconds.'),
        error: nullable(Type.String({ description: 'Such as `smtp.550` or `smtp.etimedout`.' })),
        response: Type.String({ description: 'What the mail server responded, its first 500 characters.' }),
      }),
    ),
  }),
)
export const AlertMailPage = countedPageOf('AlertMailPage', AlertMail)
