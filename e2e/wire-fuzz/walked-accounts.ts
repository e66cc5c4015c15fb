import { randomUUID } from 'node:crypto'
import { type Client, createClient, type Fetch } from '@continuity/client'
import { openOwner } from '@continuity/server/owner'
import { pollUntil } from '../../tools/dev-stack/waiting.ts'
import { everyRole } from '../every-role.ts'
import { createKnownValues, type KnownValues } from './known-values.ts'
import type { FuzzRequest, Headers } from './request-arbitrary.ts'

export interface WalkedAccounts {
  readonly known: KnownValues
  /** Of the user who walks. No request names that user, and none ends this session. */
  readonly credential: Headers
  /** Stands in the records of the other account, which no answer may show. */
  readonly secret: string
  /** How many records of the other account hold it. */
  readonly hiddenRecords: number
  dress(request: FuzzRequest): Promise<FuzzRequest>
  refill(count: number): Promise<void>
}

const PASSWORD = 'correct horse battery staple'
const SECRET = 'only for the other account'
const RECORDS = 10
/** Fewer, so that most ids that are drawn lead to a record of the walked account. */
const HIDDEN_RECORDS = 3
const DEVICES = 20
/** Each stands wrong passwords for a while, and is locked then. */
const LOGIN_USERS = 20

/**
 * Two accounts. In `walked` a user with every role meets records that can be
 * read, changed and deleted. `closed` has records that must not show, and the
 * users and the app key that sessions are opened with: no request can spoil them.
 */
export async function openWalkedAccounts(baseUrl: string, ownerUrl: string): Promise<WalkedAccounts> {
  const known = createKnownValues()
  const [walker] = await addAccount(ownerUrl, { account_name: 'walked', title: 'Walked', users: 1 })
  const others = await addAccount(ownerUrl, { account_name: 'closed', title: SECRET, users: LOGIN_USERS })

  const walking = createClient({ baseUrl })
  const { token, device_id: deviceId } = await walking.login({ body: walker! })
  const { hits } = await walking.listUsers()
  for (const { user_id: userId } of hits) known.reserve(userId)
  known.learn(await addRecords(walking, 'Open', RECORDS))

  const fromNewAddress = addressesOfDevices()
  const other = createClient({ baseUrl })
  await other.login({ body: others[0]! })
  for (const login of others) known.add(login)
  const hidden = await addRecords(other, SECRET, HIDDEN_RECORDS)
  known.learn(hidden)
  const { app_name, sdk_key } = await other.createAppKey({ body: { app_name: 'closed-tv' } })
  const openDevice = () =>
    createClient({ baseUrl, fetch: fromNewAddress() }).registerDevice({ body: { app_name, sdk_key } })
  known.learn({ app_name, sdk_key })
  for (let i = 0; i < DEVICES; i += 1) known.learn(await openDevice())

  const credential = { 'x-service-auth': token.token_access, 'x-service-device': deviceId }
  const dress = async (request: FuzzRequest) => {
    const spends = request.operationId === 'endSession'
    const isSigned = request.headers['x-service-auth'] === credential['x-service-auth']
    if (!spends || !isSigned) return request
    // A session can be ended once, and the walk still needs its own.
    const session = await openDevice()
    const own = { 'x-service-auth': session.token.token_access, 'x-service-device': session.device_id }
    return { ...request, headers: { ...request.headers, ...own } }
  }
  const refill = async (count: number) => {
    const records = await addRecords(walking, 'Open', count)
    known.learn(records)
    await openBreaks(walking, records)
  }
  const hiddenRecords = hidden.filter((record) => JSON.stringify(record).includes(SECRET)).length
  return { known, credential, secret: SECRET, hiddenRecords, dress, refill }
}

/** Devices are limited for each address, and a long walk needs many. */
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

interface AccountOrder {
  readonly account_name: string
  readonly title: string
  readonly users: number
}

/** Gives what its users log in with. */
async function addAccount(ownerUrl: string, { account_name, title, users }: AccountOrder) {
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

/** Some room is left for those that the walk makes. */
const WEBHOOKS = 30
const RECIPIENTS = 30

/** Some of each kind that can be made today. */
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
