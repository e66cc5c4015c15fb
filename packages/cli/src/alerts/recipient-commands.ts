import type { Client } from '@continuity/client'
import { type Command, command, type ValuesOf } from '../terminal/command.ts'
import { givenOf } from '../terminal/given.ts'
import { oneOf } from '../terminal/one-of.ts'
import { openSession, sessionOptions } from '../terminal/open-session.ts'
import { fields, table } from '../terminal/table.ts'
import { UsageFault } from '../terminal/usage-fault.ts'
import { newRecipientOptions, recipientChangeOptions } from './recipient-options.ts'

const operand = 'RECIPIENT_ID'
const readState = oneOf('PENDING', 'SENT', 'FAILED')
const paramsOf = (id: string) => ({ params: { alert_recipient_id: id } })

const listRecipients = command({
  name: 'alerts recipients list',
  about: 'List who gets mails about alerts',
  options: sessionOptions,
  run: async ({ options, world }) => {
    const { client, account } = await openSession(options, world, 'alerts recipients list')
    const hits: Recipient[] = []
    for (let mark: string | null = '0'; mark !== null; ) {
      const query = { page_size: 50, page_offset: mark }
      const page: RecipientPage = await client.listAlertRecipients({ query })
      hits.push(...page.hits)
      mark = page.page.page_mark
    }
    if (hits.length === 0) return { text: `${account} has no recipients of alerts.`, json: [] }
    const rows = hits.map((it) => [
      it.alert_recipient_id,
      it.status,
      it.failing_since ?? '',
      it.minimum_severity,
      quietOf(it),
      it.address,
    ])
    const heads = ['id', 'status', 'failing since', 'from severity', 'quiet hours', 'address']
    return { text: table(heads, rows), json: hits }
  },
})

const createRecipient = command({
  name: 'alerts recipients create',
  about: 'Send mails about alerts to an address',
  operand: 'ADDRESS',
  options: newRecipientOptions,
  run: async ({ operand: address, options, world }) => {
    const { client } = await openSession(options, world, 'alerts recipients create')
    const recipient = await client.createAlertRecipient({ body: { address, ...settingsIn(options) } })
    return { text: show(recipient), json: recipient }
  },
})

const changeRecipient = command({
  name: 'alerts recipients change',
  about: 'Change the settings of a recipient; the others stay',
  operand,
  options: recipientChangeOptions,
  run: async ({ operand: id, options, world }) => {
    const body = { ...givenOf({ address: options.address }), ...settingsIn(options) }
    if (Object.keys(body).length === 0) throw new UsageFault('Nothing to change.', 'alerts recipients change')
    const { client } = await openSession(options, world, 'alerts recipients change')
    const recipient = await client.changeAlertRecipient({ ...paramsOf(id), body })
    return { text: show(recipient), json: recipient }
  },
})

const showRecipient = command({
  name: 'alerts recipients show',
  about: 'Show a recipient of alerts',
  operand,
  options: sessionOptions,
  run: async ({ operand: id, options, world }) => {
    const { client } = await openSession(options, world, 'alerts recipients show')
    const recipient = await client.getAlertRecipient(paramsOf(id))
    return { text: show(recipient), json: recipient }
  },
})

const switchRecipient = (verb: 'pause' | 'resume', about: string) =>
  command({
    name: `alerts recipients ${verb}`,
    about,
    operand,
    options: sessionOptions,
    run: async ({ operand: id, options, world }) => {
      const { client } = await openSession(options, world, `alerts recipients ${verb}`)
      const status = verb === 'pause' ? 'PAUSED' : 'ACTIVE'
      const recipient = await client.changeAlertRecipient({ ...paramsOf(id), body: { status } })
      return { text: show(recipient), json: recipient }
    },
  })

/** A worker polls twice a second, and a mail server has a minute to answer. */
const TEST_MS = 75_000
const POLL_MS = 500

const testRecipient = command({
  name: 'alerts recipients test',
  about: 'Send a test mail, and wait until the mail server has accepted it',
  operand,
  options: sessionOptions,
  run: async ({ operand: id, options, world, report }) => {
    const { client } = await openSession(options, world, 'alerts recipients test')
    const { mail_id: mailId } = await client.testAlertRecipient(paramsOf(id))
    report(`sent as ${mailId} …`)
    const endMs = world.clock() + TEST_MS
    let mail: Mail | undefined
    while (mail?.last_attempt == null && world.clock() < endMs) {
      await world.sleep(POLL_MS)
      const { hits } = await client.listAlertMails({ ...paramsOf(id), query: { page_size: 50 } })
      mail = hits.find(({ mail_id }) => mail_id === mailId)
    }
    const isFailure = mail?.state !== 'SENT'
    const text = mail === undefined ? 'The mail was not sent yet.' : showMails([mail])
    return { text, json: mail ?? null, ...(isFailure ? { isFailure } : {}) }
  },
})

const listMails = command({
  name: 'alerts recipients mails',
  about: 'List the last 50 mails to a recipient',
  operand,
  options: {
    ...sessionOptions,
    state: {
      value: 'STATE',
      about: 'only mails in this state, such as FAILED',
      read: readState,
    },
  },
  run: async ({ operand: id, options, world }) => {
    const { client } = await openSession(options, world, 'alerts recipients mails')
    const { state } = options
    const query = { page_size: 50, ...(state === undefined ? {} : { state }) }
    const { hits } = await client.listAlertMails({ ...paramsOf(id), query })
    return { text: hits.length === 0 ? 'There are no such mails.' : showMails(hits), json: hits }
  },
})

const deleteRecipient = command({
  name: 'alerts recipients delete',
  about: 'Delete a recipient of alerts',
  operand,
  options: sessionOptions,
  run: async ({ operand: id, options, world }) => {
    const { client } = await openSession(options, world, 'alerts recipients delete')
    await client.deleteAlertRecipient(paramsOf(id))
    return { text: `${id} is deleted.`, json: { alert_recipient_id: id } }
  },
})

/** Who gets mails about the alerts of an account. */
export const recipientCommands: readonly Command[] = [
  listRecipients,
  createRecipient,
  showRecipient,
  changeRecipient,
  switchRecipient('pause', 'Send no mails to a recipient'),
  switchRecipient('resume', 'Send mails to a recipient again, beginning with the alerts that are open'),
  testRecipient,
  listMails,
  deleteRecipient,
]

type RecipientPage = Awaited<ReturnType<Client['listAlertRecipients']>>
type Recipient = RecipientPage['hits'][number]
type Mail = Awaited<ReturnType<Client['listAlertMails']>>['hits'][number]

type Settings = Pick<
  ValuesOf<typeof recipientChangeOptions>,
  'severity' | 'time-zone' | 'quiet' | 'reminder-minutes' | 'description'
>

const settingsIn = ({
  severity,
  quiet,
  description,
  'time-zone': zone,
  'reminder-minutes': reminder,
}: Settings) =>
  givenOf({
    minimum_severity: severity,
    time_zone: zone,
    quiet_hours: quiet,
    reminder_s: reminder,
    description,
  })

const quietOf = ({ quiet_hours, time_zone }: Recipient): string =>
  quiet_hours.length === 0
    ? ''
    : `${quiet_hours.map(({ severities, from, to }) => `${severities.join(',')} ${from}-${to}`).join('; ')} ${time_zone}`

const show = (recipient: Recipient): string =>
  fields([
    ['address', recipient.address],
    ['id', recipient.alert_recipient_id],
    ['status', recipient.status],
    ['from severity', recipient.minimum_severity],
    ['quiet hours', quietOf(recipient) || 'none'],
    ['reminder', recipient.reminder_s === null ? 'none' : `every ${recipient.reminder_s / 60} minutes`],
    ...(recipient.description === '' ? [] : [['description', recipient.description] as const]),
    ...(recipient.failing_since === null ? [] : [['failing since', recipient.failing_since] as const]),
  ])

function showMails(mails: readonly Mail[]): string {
  const rows = mails.map(({ mail_id, subject, state, attempts, next_attempt_at, last_attempt }) => [
    mail_id,
    state,
    `${attempts}`,
    last_attempt === null ? '' : last_attempt.response,
    next_attempt_at ?? '',
    subject,
  ])
  return table(['mail', 'state', 'attempts', 'last response', 'next attempt', 'subject'], rows)
}
