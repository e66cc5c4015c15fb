import type { Client } from '@continuity/client'
import { type Command, command, type Options } from '../terminal/command.ts'
import { oneOf } from '../terminal/one-of.ts'
import { openSession, sessionOptions } from '../terminal/open-session.ts'
import { fields, table } from '../terminal/table.ts'

const operand = 'WEBHOOK_ID'
const readState = oneOf('PENDING', 'DELIVERED', 'FAILED')
const paramsOf = (id: string) => ({ params: { webhook_id: id } })

const listWebhooks = command({
  name: 'webhooks list',
  about: 'List webhooks, with why one is paused',
  options: sessionOptions,
  run: async ({ options, world }) => {
    const { client, account } = await openSession(options, world, 'webhooks list')
    const hits: Webhook[] = []
    for (let mark: string | null = '0'; mark !== null; ) {
      const page: WebhookPage = await client.listWebhooks({ query: { page_size: 50, page_offset: mark } })
      hits.push(...page.hits)
      mark = page.page.page_mark
    }
    if (hits.length === 0) return { text: `${account} has no webhooks.`, json: [] }
    const rows = hits.map((it) => [
      it.webhook_id,
      statusOf(it),
      it.failing_since ?? '',
      it.kinds.join(','),
      it.url,
    ])
    return { text: table(['id', 'status', 'failing since', 'kinds', 'address'], rows), json: hits }
  },
})

const createWebhook = command({
  name: 'webhooks create',
  about: 'Create a webhook, and print its secret once',
  operand: 'ADDRESS',
  options: {
    ...sessionOptions,
    kinds: {
      value: 'KIND[,KIND…]',
      about: 'kinds of events, such as channel.*; default all',
      read: (text: string) => ({ value: text.split(',').map((kind) => kind.trim()) }),
    },
    description: { value: 'TEXT', about: 'what it is for' },
  },
  run: async ({ operand: url, options, world }) => {
    const { client } = await openSession(options, world, 'webhooks create')
    const { kinds, description } = options
    const more = {
      ...(kinds === undefined ? {} : { kinds }),
      ...(description === undefined ? {} : { description }),
    }
    const webhook = await client.createWebhook({ body: { url, ...more } })
    return { text: showWithSecret(webhook), json: webhook }
  },
})

const showWebhook = command({
  name: 'webhooks show',
  about: 'Show a webhook',
  operand,
  options: sessionOptions,
  run: async ({ operand: id, options, world }) => {
    const { client } = await openSession(options, world, 'webhooks show')
    const webhook = await client.getWebhook(paramsOf(id))
    return { text: show(webhook), json: webhook }
  },
})

const switchWebhook = (verb: 'pause' | 'resume', about: string) =>
  command({
    name: `webhooks ${verb}`,
    about,
    operand,
    options: sessionOptions,
    run: async ({ operand: id, options, world }) => {
      const { client } = await openSession(options, world, `webhooks ${verb}`)
      const status = verb === 'pause' ? 'PAUSED' : 'ACTIVE'
      const webhook = await client.changeWebhook({ ...paramsOf(id), body: { status } })
      return { text: show(webhook), json: webhook }
    },
  })

const rotateSecret = command({
  name: 'webhooks rotate',
  about: 'Create a new secret for a webhook, and print it once',
  operand,
  options: {
    ...sessionOptions,
    'keep-seconds': {
      value: 'SECONDS',
      about: 'how long the current secret also signs; default a day',
      read: (text: string) =>
        /^\d{1,6}$/.test(text) && Number(text) <= 604_800
          ? { value: Number(text) }
          : { fault: 'must be a whole number from 0 to 604800.' },
    },
  },
  run: async ({ operand: id, options, world }) => {
    const { client } = await openSession(options, world, 'webhooks rotate')
    const seconds = options['keep-seconds']
    const body = seconds === undefined ? {} : { previous_valid_s: seconds }
    const webhook = await client.rotateWebhookSecret({ ...paramsOf(id), body })
    return { text: showWithSecret(webhook), json: webhook }
  },
})

/** A worker polls twice a second, an endpoint has 15 s to answer, and other deliveries may be queued before. */
const TEST_MS = 40_000
const POLL_MS = 500

const testWebhook = command({
  name: 'webhooks test',
  about: 'Send a test delivery, and wait for the response',
  operand,
  options: sessionOptions,
  run: async ({ operand: id, options, world, report }) => {
    const { client } = await openSession(options, world, 'webhooks test')
    const { event_id: eventId } = await client.testWebhook(paramsOf(id))
    report(`sent as ${eventId} …`)
    const endMs = world.clock() + TEST_MS
    let delivery: Delivery | undefined
    while (delivery?.response == null && world.clock() < endMs) {
      await world.sleep(POLL_MS)
      const { hits } = await client.listWebhookDeliveries({ ...paramsOf(id), query: { page_size: 50 } })
      delivery = hits.find(({ event_id }) => event_id === eventId)
    }
    const isFailure = delivery?.state !== 'DELIVERED'
    const text = delivery === undefined ? 'The delivery was not attempted yet.' : showDeliveries([delivery])
    return { text, json: delivery ?? null, ...(isFailure ? { isFailure } : {}) }
  },
})

const replayOptions = {
  ...sessionOptions,
  from: {
    value: 'TIME',
    about: 'start of the events to send again, such as 2026-03-01T18:00:00Z',
    isRequired: true,
    read: (text: string) => {
      const ms = text.endsWith('Z') ? Date.parse(text) : Number.NaN
      return Number.isNaN(ms)
        ? { fault: 'must be a time in UTC, such as 2026-03-01T18:00:00Z.' }
        : { value: new Date(ms).toISOString() }
    },
  },
} as const satisfies Options

const replayWebhook = command({
  name: 'webhooks replay',
  about: 'Send events again, from a time on',
  operand,
  options: replayOptions,
  run: async ({ operand: id, options, world }) => {
    const { client } = await openSession(options, world, 'webhooks replay')
    const answer = await client.replayWebhook({ ...paramsOf(id), body: { from: options.from } })
    return { text: `Events from ${answer.from} on are sent again.`, json: answer }
  },
})

const listDeliveries = command({
  name: 'webhooks deliveries',
  about: 'List the last 50 deliveries of a webhook',
  operand,
  options: {
    ...sessionOptions,
    state: {
      value: 'STATE',
      about: 'only deliveries in this state, such as FAILED',
      read: readState,
    },
  },
  run: async ({ operand: id, options, world }) => {
    const { client } = await openSession(options, world, 'webhooks deliveries')
    const { state } = options
    const query = { page_size: 50, ...(state === undefined ? {} : { state }) }
    const { hits } = await client.listWebhookDeliveries({ ...paramsOf(id), query })
    return { text: hits.length === 0 ? 'There are no such deliveries.' : showDeliveries(hits), json: hits }
  },
})

const deleteWebhook = command({
  name: 'webhooks delete',
  about: 'Delete a webhook',
  operand,
  options: sessionOptions,
  run: async ({ operand: id, options, world }) => {
    const { client } = await openSession(options, world, 'webhooks delete')
    await client.deleteWebhook(paramsOf(id))
    return { text: `${id} is deleted.`, json: { webhook_id: id } }
  },
})

/** Endpoints to which the events of an account are sent. */
export const webhookCommands: readonly Command[] = [
  listWebhooks,
  createWebhook,
  showWebhook,
  switchWebhook('pause', 'Pause a webhook; its events are queued'),
  switchWebhook('resume', 'Resume a webhook, with the events since it was paused'),
  rotateSecret,
  testWebhook,
  replayWebhook,
  listDeliveries,
  deleteWebhook,
]

type WebhookPage = Awaited<ReturnType<Client['listWebhooks']>>
type Webhook = WebhookPage['hits'][number]
type Delivery = Awaited<ReturnType<Client['listWebhookDeliveries']>>['hits'][number]

const statusOf = ({ status, status_reason }: Webhook): string =>
  status_reason === null ? status : `${status} (${status_reason})`

const entriesOf = (webhook: Webhook): (readonly [string, string])[] => [
  ['address', webhook.url],
  ['id', webhook.webhook_id],
  ['status', `${statusOf(webhook)} since ${webhook.status_at}`],
  ['kinds', webhook.kinds.join(', ')],
  ...(webhook.description === '' ? [] : [['description', webhook.description] as const]),
  ...(webhook.failing_since === null ? [] : [['failing since', webhook.failing_since] as const]),
  ...(webhook.previous_secret_until === null
    ? []
    : [['previous secret until', webhook.previous_secret_until] as const]),
]

const show = (webhook: Webhook): string => fields(entriesOf(webhook))

const showWithSecret = (webhook: Webhook & { readonly secret: string }): string =>
  `${fields([...entriesOf(webhook), ['secret', webhook.secret]])}\n\nThe secret is not shown again.`

function showDeliveries(deliveries: readonly Delivery[]): string {
  const rows = deliveries.map(({ event_id, kind, state, attempts, next_attempt_at, response }) => [
    event_id,
    kind,
    state,
    `${attempts}`,
    response === null ? '' : `${response.status ?? response.error ?? ''} in ${response.duration_ms} ms`,
    next_attempt_at ?? '',
  ])
  return table(['event', 'kind', 'state', 'attempts', 'last response', 'next attempt'], rows)
}
