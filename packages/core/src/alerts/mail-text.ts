import { adviceFor } from './advice.ts'
import type { MailKind } from './next-mail.ts'
import { type Severity, severities } from './severity.ts'

/** An alert in a mail. */
export interface MailedAlert {
  readonly kind: MailKind
  readonly alertId: string
  readonly code: string
  readonly severity: Severity
  readonly message: string
  /** Its subject, such as `channel North One`. */
  readonly where: string
  readonly openedMs: number
  readonly closedMs: number | null
}

export interface MailContext {
  /** Name of the account. */
  readonly account: string
  readonly timeZone: string
  readonly reminderMs: number | null
  readonly nowMs: number
}

export interface MailText {
  readonly subject: string
  readonly text: string
}

const SUBJECT_LENGTH = 150
/** A message may quote a partner's file and be long. */
const MESSAGE_LENGTH = 2_000

/** One mail about some alerts. No text from outside can start a line in it. */
export function mailText(alerts: readonly MailedAlert[], context: MailContext): MailText {
  const sorted = alerts.toSorted((a, b) => rankOf(b) - rankOf(a) || a.openedMs - b.openedMs)
  const subject = sorted.length === 1 ? subjectOfOne(sorted[0]!, context) : subjectOfMany(sorted, context)
  const head =
    sorted.length === 1 ? [] : [`${countAll(sorted)} on ${oneLine(context.account)}, the worst first.`, '']
  const lines = [...head, ...sorted.flatMap((alert) => [...paragraph(alert, context), '']), ...foot(context)]
  return { subject: clip(subject, SUBJECT_LENGTH), text: `${lines.join('\n')}\n` }
}

/** A mail that a user requested to check delivery. */
export function testMailText({ account }: Pick<MailContext, 'account'>): MailText {
  const name = oneLine(account)
  return {
    subject: clip(`[TEST] Alerts of ${name} reach this address`, SUBJECT_LENGTH),
    text: [
      `This is a test. Alerts of ${name} are sent to this address.`,
      '',
      'There is nothing to do.',
      '',
    ].join('\n'),
  }
}

const labels: Readonly<Record<MailKind, string>> = {
  opened: '',
  raised: 'now worse: ',
  reminder: 'still open: ',
  closed: '',
}

function subjectOfOne(alert: MailedAlert, { account }: MailContext): string {
  const tag = alert.kind === 'closed' ? 'CLOSED' : alert.severity
  return `[${tag}] ${labels[alert.kind]}${oneLine(alert.where)}: ${oneLine(alert.message)} (${oneLine(account)})`
}

function subjectOfMany(alerts: readonly MailedAlert[], { account }: MailContext): string {
  const open = alerts.filter(({ kind }) => kind !== 'closed')
  const worst = severities.findLast((each) => open.some(({ severity }) => severity === each))
  return `[${worst ?? 'CLOSED'}] ${countAll(alerts)} on ${oneLine(account)}`
}

function countAll(alerts: readonly MailedAlert[]): string {
  const counted = (
    [
      ['opened', 'opened'],
      ['raised', 'now worse'],
      ['reminder', 'still open'],
      ['closed', 'closed'],
    ] as const
  )
    .map(([kind, name]) => [alerts.filter((alert) => alert.kind === kind).length, name] as const)
    .filter(([count]) => count > 0)
    .map(([count, name]) => `${count} ${name}`)
  return `${alerts.length} alerts: ${counted.join(', ')}`
}

function paragraph(alert: MailedAlert, { timeZone, nowMs }: MailContext): readonly string[] {
  const { kind, closedMs, openedMs, severity } = alert
  const isClosed = kind === 'closed'
  const state = isClosed
    ? `CLOSED (was ${severity})`
    : `${severity}${kind === 'opened' ? '' : `, ${labels[kind].slice(0, -2)}`}`
  const since = `${printTime(openedMs, timeZone)}, ${printSpan((closedMs ?? nowMs) - openedMs)}`
  return [
    clip(oneLine(alert.message), MESSAGE_LENGTH),
    '',
    `  Severity:   ${state}`,
    `  Where:      ${oneLine(alert.where)}`,
    `  Since:      ${since}${isClosed ? ' in all' : ' ago'}`,
    ...(isClosed ? [`  Closed:     ${printTime(closedMs!, timeZone)}`] : []),
    `  What to do: ${isClosed ? 'Nothing. It is over.' : adviceFor(alert.code)}`,
    `  Alert:      ${oneLine(alert.code)} ${alert.alertId}`,
  ]
}

function foot({ account, reminderMs }: MailContext): readonly string[] {
  const reminder =
    reminderMs === null
      ? 'There are no reminders'
      : `While an alert is open there is a reminder every ${printSpan(reminderMs)}`
  return [
    '--',
    `Sent to the recipients of alerts of ${oneLine(account)}. ${reminder}, and a mail when it closes.`,
  ]
}

/** The most severe first, closed ones last. */
const rankOf = ({ kind, severity }: MailedAlert): number =>
  kind === 'closed' ? -1 : severities.indexOf(severity)

/** In the recipient's time zone, and in UTC as in logs. */
function printTime(ms: number, timeZone: string): string {
  const utc = new Date(ms).toISOString()
  if (timeZone === 'UTC') return `${utc.slice(0, 16).replace('T', ' ')} UTC`
  const local = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(
    ms,
  )
  return `${local} ${timeZone} (${utc.slice(11, 16)} UTC)`
}

function printSpan(ms: number): string {
  const minutes = Math.max(0, Math.round(ms / 60_000))
  const [days, hours, rest] = [Math.floor(minutes / 1_440), Math.floor(minutes / 60) % 24, minutes % 60]
  const parts = [days > 0 ? `${days} d` : '', hours > 0 ? `${hours} h` : '', rest > 0 ? `${rest} min` : '']
  return (
    parts
      .filter((part) => part !== '')
      .slice(0, 2)
      .join(' ') || 'less than a minute'
  )
}

/** Names come from users. None of their characters may end a line or change the text direction. */
const oneLine = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

function clip(text: string, length: number): string {
  const characters = [...text]
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`
}
