import { RECIPIENTS_MAXIMUM, TESTS_PER_HOUR } from '@continuity/core/alerts/limits'
import type { QuietHoursFault } from '@continuity/core/alerts/quiet-hours'
import { defineError } from '../../platform/errors.ts'

export const RecipientNotFound = defineError(
  'alert_recipient.not_found',
  404,
  'Alert recipient not found',
  () => 'There is no alert recipient with this id.',
)
export const TooManyRecipients = defineError(
  'alert_recipient.too_many',
  422,
  'Too many alert recipients',
  () => `An account may have at most ${RECIPIENTS_MAXIMUM} alert recipients.`,
)
export const RecipientPaused = defineError(
  'alert_recipient.paused',
  409,
  'The recipient is paused',
  () => 'The recipient is PAUSED. Resume it first.',
)
export const TooManyTests = defineError(
  'alert_recipient.too_many_tests',
  429,
  'Too many test mails within an hour',
  () => ({
    detail: `An account may send at most ${TESTS_PER_HOUR} test mails per hour.`,
    options: { retryAfterSeconds: 600 },
  }),
)
export const TimeZoneUnknown = defineError(
  'alert_recipient.time_zone_unknown',
  422,
  'Unknown time zone',
  (name: string) => ({
    detail: `There is no time zone ${name}.`,
    options: {
      faults: [{ pointer: '/time_zone', code: 'unknown', message: 'must be a name such as Europe/Berlin' }],
    },
  }),
)

const quietHoursFaults: Readonly<Record<QuietHoursFault, string>> = {
  empty: 'must not begin at the time they end',
  severity_twice: 'must name each severity once',
}

export const QuietHoursInvalid = defineError(
  'alert_recipient.quiet_hours_invalid',
  422,
  'Invalid quiet hours',
  (code: QuietHoursFault) => ({
    detail: `Quiet hours ${quietHoursFaults[code]}.`,
    options: { faults: [{ pointer: '/quiet_hours', code, message: quietHoursFaults[code] }] },
  }),
)
export const MailIsOff = defineError('alert_recipient.mail_off', 503, 'The platform sends no mails', () => ({
  detail: 'The platform has no mail server: SMTP_HOST is not set.',
  options: { retryAfterSeconds: 3_600 },
}))
