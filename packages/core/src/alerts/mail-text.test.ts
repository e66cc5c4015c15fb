import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type MailContext, type MailedAlert, mailText, testMailText } from './mail-text.ts'

const alert: MailedAlert = {
  kind: 'opened',
  alertId: '0195c1de',
  code: 'live_source.signal_lost',
  severity: 'CRITICAL',
  message: 'The live source Studio 2 has lost its signal.',
  where: 'live source Studio 2',
  openedMs: Date.parse('2026-03-01T18:00:00.000Z'),
  closedMs: null,
}
const context: MailContext = {
  account: 'North',
  timeZone: 'Europe/Berlin',
  reminderMs: 14_400_000,
  nowMs: alert.openedMs + 90 * 60_000,
}

test('a mail contains the message, place, start, severity and advice', () => {
  const { subject, text } = mailText([alert], context)

  assert.equal(
    subject,
    '[CRITICAL] live source Studio 2: The live source Studio 2 has lost its signal. (North)',
  )
  assert.equal(
    text,
    `The live source Studio 2 has lost its signal.

  Severity:   CRITICAL
  Where:      live source Studio 2
  Since:      2026-03-01 19:00 Europe/Berlin (18:00 UTC), 1 h 30 min ago
  What to do: Check the encoder and the address of the source. Channels on it show their slate; override them or return them to schedule.
  Alert:      live_source.signal_lost 0195c1de

--
Sent to the recipients of alerts of North. While an alert is open there is a reminder every 4 h, and a mail when it closes.
`,
  )
})

test('reminders and closed alerts are distinguished, and several alerts are one mail, the worst first', () => {
  const reminder = { ...alert, kind: 'reminder' } as const
  const closed = { ...alert, kind: 'closed', closedMs: alert.openedMs + 60_000 } as const
  const warning = { ...alert, severity: 'WARNING', message: 'The schedule ends.' } as const

  assert.match(mailText([reminder], context).subject, /^\[CRITICAL\] still open: live source/)
  assert.match(mailText([closed], context).subject, /^\[CLOSED\] live source/)
  assert.match(mailText([closed], context).text, /1 min in all\n {2}Closed: {5}2026-03-01 19:01/)
  const many = mailText([closed, warning, alert], context)
  assert.equal(many.subject, '[CRITICAL] 3 alerts: 2 opened, 1 closed on North')
  const order = ['lost its signal', 'The schedule ends', 'CLOSED (was'].map((words) =>
    many.text.indexOf(words),
  )
  assert.deepEqual(
    order,
    order.toSorted((a, b) => a - b),
  )
})

test('a mail about several alerts starts with their counts, and tells of each what it is now', () => {
  const raised = { ...alert, kind: 'raised', message: 'Worse.' } as const
  const reminder = { ...alert, kind: 'reminder', severity: 'WARNING', message: 'Still.' } as const
  const closedMs = alert.openedMs + 60_000
  const closed = { ...alert, kind: 'closed', closedMs, message: 'Over.', code: 'not.known' } as const
  const { subject, text } = mailText([closed, reminder, raised], {
    ...context,
    timeZone: 'UTC',
    reminderMs: null,
  })

  assert.equal(subject, '[CRITICAL] 3 alerts: 1 now worse, 1 still open, 1 closed on North')
  assert.equal(
    text,
    `3 alerts: 1 now worse, 1 still open, 1 closed on North, the worst first.

Worse.

  Severity:   CRITICAL, now worse
  Where:      live source Studio 2
  Since:      2026-03-01 18:00 UTC, 1 h 30 min ago
  What to do: Check the encoder and the address of the source. Channels on it show their slate; override them or return them to schedule.
  Alert:      live_source.signal_lost 0195c1de

Still.

  Severity:   WARNING, still open
  Where:      live source Studio 2
  Since:      2026-03-01 18:00 UTC, 1 h 30 min ago
  What to do: Check the encoder and the address of the source. Channels on it show their slate; override them or return them to schedule.
  Alert:      live_source.signal_lost 0195c1de

Over.

  Severity:   CLOSED (was CRITICAL)
  Where:      live source Studio 2
  Since:      2026-03-01 18:00 UTC, 1 min in all
  Closed:     2026-03-01 18:01 UTC
  What to do: Nothing. It is over.
  Alert:      not.known 0195c1de

--
Sent to the recipients of alerts of North. There are no reminders, and a mail when it closes.
`,
  )
})

test('the subject of several alerts names the worst that is open, or that all are closed', () => {
  const closed = { ...alert, kind: 'closed', closedMs: alert.openedMs } as const
  const warning = { ...alert, severity: 'WARNING' } as const

  assert.equal(
    mailText([closed, warning], context).subject,
    '[WARNING] 2 alerts: 1 opened, 1 closed on North',
  )
  assert.equal(mailText([closed, closed], context).subject, '[CLOSED] 2 alerts: 2 closed on North')
})

test('lengths are told by their two largest units', () => {
  const minutes = (count: number) =>
    mailText([alert], { ...context, nowMs: alert.openedMs + count * 60_000 }).text
  const printed = [0, 1, 60, 61, 1_440, 1_441, 1_500, 2 * 1_440 + 3 * 60 + 5].map(
    (count) => /UTC\), (.*) ago/.exec(minutes(count))?.[1],
  )

  assert.deepEqual(printed, [
    'less than a minute',
    '1 min',
    '1 h',
    '1 h 1 min',
    '1 d',
    '1 d 1 min',
    '1 d 1 h',
    '2 d 3 h',
  ])
})

test('a requested test mail names the account and that there is nothing to do', () => {
  assert.deepEqual(testMailText({ account: 'North\n\nOne' }), {
    subject: '[TEST] Alerts of North One reach this address',
    text: 'This is a test. Alerts of North One are sent to this address.\n\nThere is nothing to do.\n',
  })
})

test('no name can start a line or a header', () => {
  const evil = 'One\r\nBcc: all@other.example\n\n--\u2028\u202eX\0'
  const hostile = { ...alert, message: evil, where: evil }
  const { subject, text } = mailText([hostile], { ...context, account: evil })
  const plain = mailText([alert], context).text.split('\n').length

  assert.doesNotMatch(subject, /[\p{Cc}\p{Cf}\u2028]/u)
  assert.equal(text.split('\n').length, plain)
  assert.doesNotMatch(text, /^Bcc/m)
  assert.doesNotMatch(testMailText({ account: evil }).subject, /\n/)
})

test('a subject is short, however long the names are', () => {
  const { subject } = mailText([{ ...alert, message: 'x'.repeat(10_000) }], context)

  assert.equal([...subject].length, 150)
  assert.match(subject, /x…$/)
})
