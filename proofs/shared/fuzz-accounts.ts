import { randomUUID } from 'node:crypto'
import { type Client, createClient, type Fetch } from '@continuity/client'
import { pollUntil } from '@continuity/dev/waiting'
import type { FuzzRequest, Headers } from './fuzz-requests.ts'
import { createKnownValues, type KnownValues } from './fuzz-values.ts'
import type { Site } from './site.ts'

export interface FuzzAccounts {
  readonly known: KnownValues
  /** Of the user who sends the requests. No request names that user, and none ends this session. */
  readonly credential: Headers
  /** A text in the records of the other account, which no answer may contain. */
  readonly secret: string
  /** How many records of the other account contain it. */
  readonly hiddenRecords: number
  /** Gives a request that ends its session one of its own: the run still needs its session. */
  prepare(request: FuzzRequest): Promise<FuzzRequest>
  /** Creates so many records of each kind. */
  refill(count: number): Promise<void>
}

const PASSWORD = 'correct horse battery staple'
const SECRET = 'only for the other account'
const RECORDS = 10
/** Fewer, so that most ids that are drawn are of records of the fuzzed account. */
const HIDDEN_RECORDS = 3
const DEVICES = 20
/** A user is locked after some wrong passwords. */
const LOGIN_USERS = 20
/** Of which an account may have few: leaves room for those that random requests create. */
const MOST_WEBHOOKS = 30
const MOST_RECIPIENTS = 30

/**
 * Two accounts. `fuzzed` has a user with every role, and records that can be
 * read, changed and deleted. `closed` has records that must not be shown, and the
 * users and the app key that sessions are opened with: no request can change them.
 */
export async function openFuzzAccounts(site: Site, baseUrl: string): Promise<FuzzAccounts> {
  const known = createKnownValues()
  const [user] = await site.addAccount('fuzzed')
  const others = await site.addAccount('closed', { title: SECRET, users: LOGIN_USERS })

  const client = createClient({ baseUrl })
  const { token, device_id: deviceId } = await client.login({ body: user })
  const { hits } = await client.listUsers()
  for (const { user_id: userId } of hits) known.reserve(userId)
  known.collect(await addRecords(client, 'Open', RECORDS))

  const other = createClient({ baseUrl })
  await other.login({ body: others[0] })
  for (const login of others) known.add({ ...login })
  const hidden = await addRecords(other, SECRET, HIDDEN_RECORDS)
  known.collect(hidden)
  const { app_name, sdk_key } = await other.createAppKey({ body: { app_name: 'closed-tv' } })
  known.collect({ app_name, sdk_key })
  let devices = 0
  const openDevice = () => {
    devices += 1
    // Devices are limited for each address, and a long run needs many.
    const address = `10.${devices >> 16}.${(devices >> 8) & 255}.${devices & 255}`
    return createClient({ baseUrl, fetch: fetchAs(address) }).registerDevice({ body: { app_name, sdk_key } })
  }
  for (let i = 0; i < DEVICES; i += 1) known.collect(await openDevice())

  const credential = { 'x-service-auth': token.token_access, 'x-service-device': deviceId }
  return {
    known,
    credential,
    secret: SECRET,
    hiddenRecords: hidden.filter((record) => JSON.stringify(record).includes(SECRET)).length,
    async prepare(request) {
      const isOurs = request.headers['x-service-auth'] === credential['x-service-auth']
      if (request.operationId !== 'endSession' || !isOurs) return request
      const session = await openDevice()
      const own = { 'x-service-auth': session.token.token_access, 'x-service-device': session.device_id }
      return { ...request, headers: { ...request.headers, ...own } }
    },
    async refill(count) {
      const records = await addRecords(client, 'Open', count)
      known.collect(records)
      await openBreaks(client, records)
    },
  }
}

const fetchAs =
  (address: string): Fetch =>
  (url, init) => {
    const headers = new Headers(init.headers)
    headers.set('x-forwarded-for', address)
    return fetch(url, { ...init, headers })
  }

/** An ad break can be ended only while it is open. */
async function openBreaks(client: Client, records: readonly unknown[]): Promise<void> {
  for (const record of records) {
    if (typeof record !== 'object' || record === null || !('live_source_id' in record)) continue
    const params = { live_source_id: String(record.live_source_id) }
    await client.activateLiveSource({ params })
    const isActive = async () => (await client.getLiveSource({ params })).status === 'ACTIVE' || undefined
    if (!(await pollUntil(isActive, 30_000))) throw new Error('a live source does not become active')
    await client.insertAdBreak({ params, body: { duration: 600 } })
  }
}

/** Records of each kind. */
async function addRecords(client: Client, name: string, count: number): Promise<unknown[]> {
  const made: unknown[] = []
  for (let i = 0; i < count; i += 1) {
    const word = randomUUID()
    const channel = await client.createLinearChannel({ body: { title: name } })
    const params = { linear_channel_id: channel.linear_channel_id }
    const metadata = { input_url: `https://live.example/${word}.m3u8` }
    const user = { email: `${word}@staff.example`, name, password: PASSWORD, roles: ['ROLE_USER' as const] }
    const start_time = new Date(Date.now() + 86_400_000).toISOString()
    const items = [{ type: 'AD_POD' as const, duration: 60 }]
    made.push(
      channel,
      await client.createLiveSource({ body: { name, type: 'HLS_PULL', metadata } }),
      { ...params, ...(await client.createOutput({ params, body: { distributor: 'harbour' } })) },
      await client.createBrand({ body: { brand_id: word, name } }),
      await client.createUser({ body: user }),
      await client.createAppKey({ body: { app_name: 'staff' } }),
      await client.createSeries({ body: { title: name } }),
      await client.createVideo({ body: { title: name, duration: 60 } }),
      await client.createPlaylist({ body: { title: name } }),
      { ...params, ...(await client.createProgram({ params, body: { title: name, start_time, items } })) },
    )
    await client.putPlan({ params, body: { time_zone: 'UTC' } })
    const described = { description: name }
    if ((await client.listWebhooks()).total < MOST_WEBHOOKS)
      made.push(await client.createWebhook({ body: { ...described, url: `https://hooks.example/${word}` } }))
    if ((await client.listAlertRecipients()).total < MOST_RECIPIENTS)
      made.push(
        await client.createAlertRecipient({ body: { ...described, address: `${word}@desk.example` } }),
      )
  }
  return made
}
