import { Type } from 'typebox'
import { endpoint } from '../definition/endpoint.ts'
import { ids, pageExample } from '../definition/examples.ts'
import {
  AlertMailPage,
  AlertRecipient,
  AlertRecipientChange,
  AlertRecipientDraft,
  AlertRecipientPage,
  AlertTestMail,
  mailStates,
} from '../schemas/alert-recipient.ts'
import { markPaging } from '../schemas/page.ts'
import { id } from '../schemas/scalars.ts'
import { oneOf, shape } from '../schemas/shape.ts'

const common = { version: '2.3', group: 'Alert mails', access: ['ROLE_ADMIN'], ours: true } as const
const one = { params: shape({ alert_recipient_id: id('Id of the recipient.') }) }
const path = '/alert_recipients/{alert_recipient_id}'
const answer = { status: 200, description: 'The recipient.', schema: AlertRecipient } as const
const notFound = { 'alert_recipient.not_found': 404 } as const
const stale = { 'record.changed': 412 } as const
const mailOff = { 'alert_recipient.mail_off': 503 } as const
const invalid = {
  'alert_recipient.time_zone_unknown': 422,
  'alert_recipient.quiet_hours_invalid': 422,
} as const

const at = '2026-03-01T18:00:00.000Z'
const mailId = '0195c1de-6f00-7a10-8000-000000002301'
const draft = {
  address: 'desk@north.example',
  description: 'Playout desk',
  minimum_severity: 'WARNING',
  time_zone: 'Europe/Berlin',
  quiet_hours: [{ severities: ['INFO', 'WARNING'], from: '22:00', to: '07:00' }],
  reminder_s: 14_400,
}
const exampleRecipient = {
  alert_recipient_id: '0195c1de-6f00-7a10-8000-000000002201',
  ...draft,
  status: 'ACTIVE',
  failing_since: null,
  created_date: at,
  created_user_id: ids.user,
  last_updated: at,
  last_modified_user_id: ids.user,
}

export const listAlertRecipients = endpoint({
  ...common,
  id: 'listAlertRecipients',
  method: 'GET',
  path: '/alert_recipients',
  summary: 'List recipients of alerts',
  query: shape({ ...markPaging }),
  paging: 'mark',
  answer: { status: 200, description: 'A page of recipients.', schema: AlertRecipientPage },
  errors: { 'page.mark_invalid': 400 },
  example: { answer: pageExample(exampleRecipient) },
})
export const createAlertRecipient = endpoint({
  ...common,
  id: 'createAlertRecipient',
  method: 'POST',
  path: '/alert_recipients',
  summary: 'Send alerts to an e-mail address',
  description:
    'It gets a mail with the alerts that are open now, and mails when alerts open, stay open and close from then on.',
  body: AlertRecipientDraft,
  idempotencyKey: true,
  answer: { status: 201, description: 'The recipient.', schema: AlertRecipient },
  errors: { ...invalid, ...mailOff, 'alert_recipient.too_many': 422 },
  example: { body: draft, answer: exampleRecipient },
})
export const getAlertRecipient = endpoint({
  ...common,
  ...one,
  id: 'getAlertRecipient',
  method: 'GET',
  path,
  summary: 'Read one recipient of alerts',
  answer,
  errors: notFound,
  example: { answer: exampleRecipient },
})
export const changeAlertRecipient = endpoint({
  ...common,
  ...one,
  id: 'changeAlertRecipient',
  method: 'PATCH',
  path,
  summary: 'Change, pause or resume a recipient of alerts',
  description: 'Resumed, it begins anew with the alerts that are open.',
  body: AlertRecipientChange,
  answer,
  errors: { ...notFound, ...stale, ...invalid },
  example: { body: { status: 'PAUSED' }, answer: { ...exampleRecipient, status: 'PAUSED' } },
})
export const deleteAlertRecipient = endpoint({
  ...common,
  ...one,
  id: 'deleteAlertRecipient',
  method: 'DELETE',
  path,
  summary: 'Delete a recipient of alerts',
  answer: { status: 204, description: 'It is gone.' },
  errors: { ...notFound, ...stale },
  example: {},
})
export const testAlertRecipient = endpoint({
  ...common,
  ...one,
  id: 'testAlertRecipient',
  method: 'POST',
  path: `${path}/test`,
  summary: 'Send a test mail',
  description: 'Also in quiet hours. Its result is among the mails; it is tried for 15 minutes.',
  idempotencyKey: true,
  answer: { status: 202, description: 'It will be sent.', schema: AlertTestMail },
  errors: {
    ...notFound,
    ...mailOff,
    'alert_recipient.paused': 409,
    'alert_recipient.too_many_tests': 429,
  },
  example: { answer: { mail_id: mailId } },
})
export const listAlertMails = endpoint({
  ...common,
  ...one,
  id: 'listAlertMails',
  method: 'GET',
  path: `${path}/mails`,
  summary: 'Mails to a recipient and what the mail server responded, newest first',
  description: 'Kept for 7 days after a mail was sent or given up.',
  query: shape({
    state: Type.Optional(oneOf(mailStates, { description: 'Only mails of this state.' })),
    ...markPaging,
  }),
  paging: 'mark',
  answer: { status: 200, description: 'A page of mails.', schema: AlertMailPage },
  errors: { ...notFound, 'page.mark_invalid': 400 },
  example: {
    answer: pageExample({
      mail_id: mailId,
      kind: 'TEST',
      subject: '[TEST] Alerts of North reach this address',
      text: 'This is a test. Alerts of North are sent to this address.\n\nThere is nothing to do.\n',
      alert_ids: [],
      composed_at: at,
      state: 'SENT',
      attempts: 1,
      next_attempt_at: null,
      last_attempt: {
        at,
        address: draft.address,
        duration_ms: 120,
        error: null,
        response: '250 2.0.0 Ok: queued as 4F2A1',
      },
    }),
  },
})
