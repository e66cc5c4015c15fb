import { randomUUID } from 'node:crypto'
import { type Client, createClient, type Fetch } from '@continuity/client'
import { pollUntil } from '@continuity/dev/waiting'
import { openOwner } from '@continuity/server/owner'
import { everyRole } from '../../e2e/every-role.ts'
import { createKnownValues, type KnownValues } from './known-values.ts'
import type { FuzzRequest, Headers } from './request-arbitrary.ts'

export interface FuzzAccounts {
  readonly known: KnownValues
  /** Of the user who sends the requests. No request names that user, and none ends this session. */
  readonly credential: Headers
  /** A text in the records of the other account, which no answer may contain. */
  readonly secret: string
  /** How many records of the other account contain it. */
  readonly hiddenRecords: number
  prepare(request: FuzzRequest): Promise<FuzzRequest>
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

/**
 * Two accounts. `fuzzed` has a user with every role, and records that can be
 * read, changed and deleted. `closed` has records that must not be shown, and the
 * users and the app key that sessions are opened with: no request can change them.
 */
export async function openFuzzAccounts(baseUrl: string, ownerUrl: string): Promise<FuzzAccounts> {
  const known = createKnownValues()
  const [user] = await addAccount(ownerUrl, { account_name: 'fuzzed', title: 'Fuzzed', users: 1 })
  const others = await addAccount(ownerUrl, { account_name: 'closed', title: SECRET, users: LOGIN_USERS })

  const client = createClient({ baseUrl })
  const { token, device_id: deviceId } = await client.login({ body: user! })
  const { hits } = await client.listUsers()
  for (const { user_id: userId } of hits) known.reserve(userId)
  known.collect(await addRecords(client, 'Open', RECORDS))

  const fromNewAddress = addressesOfDevices()
  const other = createClient({ baseUrl })
  await other.login({ body: others[0]! })
  for (const login of others) known.add(login)
  const hidden = await addRecords(other, SECRET, HIDDEN_RECORDS)
  known.collect(hidden)
  const { app_name, sdk_key } = await other.createAppKey({ body: { app_name: 'closed-tv' } })
  const openDevice = () =>
    createClient({ baseUrl, fetch: fromNewAddress() }).registerDevice({ body: { app_name, sdk_key } })
  known.collect({ app_name, sdk_key })
  for (let i = 0; i < DEVICES; i += 1) known.collect(await openDevice())

  const credential = { 'x-service-auth': token.token_access, 'x-service-device': deviceId }
  const prepare = async (request: FuzzRequest) => {
    const endsSession = request.operationId === 'endSession'
    const isSigned = request.headers['x-service-auth'] === credential['x-service-auth']
    if (!endsSession || !isSigned) return request
    // Ends a session of its own: the run still needs its session.
    const session = await openDevice()
    const own = { 'x-service-auth': session.token.token_access, 'x-service-device': session.device_id }
    return { ...request, headers: { ...request.headers, ...own } }
  }
  const refill = async (count: number) => {
    const records = await addRecords(client, 'Open', count)
    known.collect(records)
    await openBreaks(client, records)
  }
  const hiddenRecords = hidden.filter((record) => JSON.stringify(record).includes(SECRET)).length
  return { known, credential, secret: SECRET, hiddenRecords, prepare, refill }
}

/** Devices are limited for each address, and a long run needs many. */
function addressesOfDevices(): () => Fetch {
  let number = 0
  return () => {
    number += 1
    const address = `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`
    return (url, init) => {
      const headers = new Headers(init.headers)
      headers.set('x-forwarded-for', address)
      return fetch(url, { ...init, headers })
    }
  }
}

interface AccountOptions {
  readonly account_name: string
  readonly title: string
  readonly users: number
}

/** Returns the logins of its users. */
async function addAccount(ownerUrl: string, { account_name, title, users }: AccountOptions) {
  const owner = openOwner(ownerUrl, Date.now())
  await owner.createAccount({
    account_name,
    title,
    country: undefined,
    frame_rate: undefined,
    segment_ms: undefined,
  })
  const logins = Array.from({ length: users }, (_, i) => ({
    account_name,
    email: `user-${i}@${account_name}.example`,
    password: PASSWORD,
  }))
  for (const { email, password } of logins)
    await owner.createUser(account_name, { email, name: '', password, roles: everyRole })
  await owner.close()
  return logins
}

/** An ad break can be ended only while it is open. */
async function openBreaks(client: Client, records: readonly unknown[]): Promise<void> {
  for (const record of records) {
    if (!isSource(record)) continue
    const params = { live_source_id: record.live_source_id }
    await client.activateLiveSource({ params })
    const isActive = async () => (await client.getLiveSource({ params })).status === 'ACTIVE' || undefined
    if (!(await pollUntil(isActive, ACTIVE_MS))) throw new Error('a live source does not become active')
    await client.insertAdBreak({ params, body: { duration: BREAK_SECONDS } })
  }
}

const ACTIVE_MS = 30_000
const BREAK_SECONDS = 600

const isSource = (record: unknown): record is { live_source_id: string } =>
  typeof record === 'object' && record !== null && 'live_source_id' in record

/** Leaves room for those that random requests create. */
const WEBHOOKS = 30
const RECIPIENTS = 30

/** Records of each kind. */
async function addRecords(client: Client, name: string, count: number): Promise<unknown[]> {
  const made: unknown[] = []
  for (let i = 0; i < count; i += 1) {
    const word = randomUUID()
    const channel = await client.createLinearChannel({ body: { title: name } })
    const metadata = { input_url: `https://live.example/${word}.m3u8` }
    made.push(await client.createLiveSource({ body: { name, type: 'HLS_PULL', metadata } }))
    const params = { linear_channel_id: channel.linear_channel_id }
    const user = { email: `${word}@staff.example`, name, password: PASSWORD, roles: ['ROLE_USER' as const] }
    made.push(
      channel,
      { ...params, ...(await client.createOutput({ params, body: { distributor: 'harbour' } })) },
      await client.createBrand({ body: { brand_id: word, name } }),
      await client.createUser({ body: user }),
      await client.createAppKey({ body: { app_name: 'staff' } }),
      await client.createSeries({ body: { title: name } }),
      await client.createVideo({ body: { title: name, duration: 60 } }),
      await client.createPlaylist({ body: { title: name } }),
    )
    const start_time = new Date(Date.now() + 86_400_000).toISOString()
    const items = [{ type: 'AD_POD' as const, duration: 60 }]
    made.push({
      ...params,
      ...(await client.createProgram({ params, body: { title: name, start_time, items } })),
    })
    await client.putPlan({ params, body: { time_zone: 'UTC' } })
    if ((await client.listWebhooks()).total < WEBHOOKS)
      made.push(
        await client.createWebhook({ body: { url: `https://hooks.example/${word}`, description: name } }),
      )
    if ((await client.listAlertRecipients()).total < RECIPIENTS)
      made.push(
        await client.createAlertRecipient({ body: { address: `${word}@desk.example`, description: name } }),
      )
  }
  return made
}
