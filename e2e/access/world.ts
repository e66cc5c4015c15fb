import { createHash, createPrivateKey, type KeyObject, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { type Endpoint, operationList, operations } from '@continuity/contract'
import { openSql, type Sql } from '@continuity/dev/sql'
import { startTestSystem } from '@continuity/dev/test-system'
import { openOwner } from '@continuity/server/owner'
import { everyRole } from '../every-role.ts'
import {
  type Api,
  claimsOf,
  type Login,
  logIn,
  openApi,
  pathParameters,
  registerDevice,
  type Session,
} from './api.ts'

/** The key that signs credentials. */
export interface SigningKey {
  readonly kid: string
  readonly privateKey: KeyObject
}

/** A running system with two accounts in it. */
export interface World extends AsyncDisposable {
  readonly api: Api
  readonly owner: ReturnType<typeof openOwner>
  /** As the owner of the schema, who sees the rows of all accounts. */
  readonly sql: Sql
  readonly key: SigningKey
  /** The account that sends requests. */
  readonly one: FilledAccount
  /** The account whose records are requested. */
  readonly other: FilledAccount
}

export async function openWorld(): Promise<World> {
  await using opened = new AsyncDisposableStack()
  // Rejections are logged, and there are thousands of them.
  const system = opened.use(await startTestSystem({ LOG_LEVEL: 'error' }))
  const owner = openOwner(system.databaseOwnerUrl, Date.now())
  opened.defer(() => owner.close())
  const sql = openSql(system.databaseOwnerUrl)
  opened.defer(() => sql.close())
  const api = openApi(system.baseUrl)
  opened.defer(() => api.close())

  const make = (name: string) =>
    makeFilledAccount(owner, sql, api, `${name}-${randomBytes(6).toString('hex')}`)
  const key = await readKey(system.credentialKeysFile)
  const [one, other] = [await make('one'), await make('other')]
  const all = opened.move()
  return { api, owner, sql, key, one, other, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

async function readKey(path: string): Promise<SigningKey> {
  const text = await readFile(path, 'utf8')
  const { keys } = JSON.parse(text) as { keys: { kid: string; private_key: string }[] }
  return { kid: keys[0]!.kid, privateKey: createPrivateKey(keys[0]!.private_key) }
}

/** An account with records of every kind. */
export interface FilledAccount {
  readonly accountName: string
  readonly accountId: string
  /** With every role that a user can have. */
  readonly session: Session
  /** Of the same user. Forgeries are made from this session, because a forgery that is accepted may end it. */
  readonly sample: Session
  readonly login: Login
  readonly names: Names
}

/**
 * What requests of others would have to contain to address its records: ids by the name of the path parameter, texts,
 * credentials. Those that begin with `second` are of records that are never deleted.
 */
export type Names = Readonly<Record<string, string>>

/** The part of `names` with the cursor of each list's second page, by operation. */
export const markOf = (operationId: string): string => `mark_${operationId}`

export const pagedLists: readonly Endpoint[] = operationList.filter(
  (e) => e.paging === 'mark' && pathParameters(e).length === 0,
)

/** Creates an account. Every name contains `word`, so that a leak can be found. */
async function makeFilledAccount(
  owner: ReturnType<typeof openOwner>,
  sql: Sql,
  api: Api,
  word: string,
): Promise<FilledAccount> {
  const login = { account_name: word, email: `admin@${word}.example`, password: `${word} password` }
  const { account_id: accountId } = await owner.createAccount({
    account_name: word,
    title: `Title of ${word}`,
    country: undefined,
    frame_rate: undefined,
    segment_ms: undefined,
  })
  await owner.createUser(word, { ...login, name: `Admin of ${word}`, roles: [...everyRole] })
  const [session, sample] = [await logIn(api, login), await logIn(api, login)]
  await openAlerts(sql, accountId, word)
  const records = await makeRecords(api, session, word)
  const names = { admin_id: claimsOf(session).sub, ...records, ...(await readMarks(api, session)) }
  return { accountName: word, accountId, session, sample, login, names }
}

/** No request of a client opens an alert. */
async function openAlerts(sql: Sql, accountId: string, word: string): Promise<void> {
  for (const at of ['first', 'second']) {
    await sql.query(
      `insert into alerts (account_id, alert_id, severity, code, message, subject_type, subject_id, opened_ms)
       values ($1, gen_random_uuid(), 'WARNING', 'schedule.ending', $2, 'linear_channel', $3, $4)`,
      [accountId, `Trouble of ${word}.`, `${at}-of-${word}`, Date.now()],
    )
  }
}

async function makeRecords(api: Api, { headers }: Session, word: string) {
  const names: Record<string, string> = {}
  const make = async (e: Endpoint, body: object, params: Record<string, string> = {}) =>
    api.done<Record<string, string>>(e, { headers, params, body })
  /** Two of a kind, of which the second one is never deleted. */
  const makeTwo = async (e: Endpoint, idName: string, bodyOf: (title: string) => object) => {
    for (const which of ['', 'second_']) {
      const made = await make(e, bodyOf(`${which === '' ? 'First' : 'Second'} of ${word}`))
      names[`${which}${idName}`] = made[idName]!
    }
  }

  const [email, password] = [`user@${word}.example`, `${word} password too`]
  const user = await make(operations.createUser, {
    email,
    name: `User of ${word}`,
    password,
    roles: ['ROLE_USER'],
  })
  const [app_name, second_app_name] = [`app-${word}`, `second-app-${word}`]
  const { app_key_id, sdk_key } = await make(operations.createAppKey, { app_name })
  await make(operations.createAppKey, { app_name: second_app_name })
  Object.assign(names, { user_id: user['user_id'], email, password, app_name, app_key_id, sdk_key })

  await makeTwo(operations.createBrand, 'brand_id', (name) => ({
    brand_id: name.toLowerCase().replaceAll(' ', '-'),
    name,
  }))
  await makeTwo(operations.createSeries, 'series_id', (title) => ({ title: `Series, ${title}` }))
  await makeTwo(operations.createVideo, 'video_id', (title) => ({
    title: `Video, ${title}`,
    duration: 60,
    status: 'READY',
    description: `Filmed by ${word}`,
  }))
  await makeTwo(operations.createPlaylist, 'playlist_id', (title) => ({ title: `Playlist, ${title}` }))
  await make(
    operations.setPlaylistVideos,
    { video_ids: [names['second_video_id']] },
    { playlist_id: names['playlist_id']! },
  )
  await makeTwo(operations.createLinearChannel, 'linear_channel_id', (title) => ({
    title: `Channel, ${title}`,
    description: `Described by ${word}`,
  }))
  await makeTwo(operations.createLiveSource, 'live_source_id', (name) => ({
    name: `Source, ${name}`,
    type: 'HLS_PULL',
    metadata: { input_url: `https://live.example/${word}.m3u8` },
  }))
  await makeTwo(operations.createWebhook, 'webhook_id', (title) => ({
    url: 'https://hooks.example/',
    description: title,
  }))
  await makeTwo(operations.createAlertRecipient, 'alert_recipient_id', (title) => ({
    address: `${title.toLowerCase().replaceAll(' ', '-')}@desk.example`,
  }))

  const channel = { linear_channel_id: names['linear_channel_id']! }
  const distributor = `tv-${word}`
  await make(operations.createOutput, { distributor, key: `key-of-${word}` }, channel)
  await make(operations.putPlan, { time_zone: 'UTC' }, channel)
  const request = await make(operations.scheduleProgram, aProgram(channel.linear_channel_id, word))
  const program = await make(operations.createProgram, { ...aPod(4), title: `Pod of ${word}` }, channel)
  const device = await registerDevice(api, app_name, sdk_key!)
  return {
    ...names,
    distributor,
    request_id: request['request_id']!,
    program_id: program['program_id']!,
    channel_title: `Channel, First of ${word}`,
    video_title: `Video, First of ${word}`,
    refresh: device.refresh,
    session_id: claimsOf(device).sid,
  }
}

async function readMarks(api: Api, { headers }: Session): Promise<Names> {
  const marks: Record<string, string> = {}
  for (const e of pagedLists) {
    const body = e.body === undefined ? undefined : {}
    const firstPage = { headers, query: { page_size: '1' }, body }
    const { page } = await api.done<{ page: { page_mark: string | null } }>(e, firstPage)
    if (page.page_mark === null) throw new Error(`${e.id} has only one page`)
    marks[markOf(e.id)] = page.page_mark
  }
  return marks
}

/** Names of the same form that are not in use. */
export const unusedNames = (like: Names): Names =>
  Object.fromEntries(Object.entries(like).map(([name, text]) => [name, otherThan(name, text)]))

function otherThan(name: string, text: string): string {
  const prefix = { sdk_key: 'sdk_', refresh: 'r_' }[name] ?? ''
  if (prefix !== '' || name.startsWith('mark_')) {
    const { length } = Buffer.from(text.slice(prefix.length), 'base64url')
    return prefix + randomBytes(length).toString('base64url')
  }
  return text.replaceAll(/[0-9a-f]{4,}/g, ({ length }) =>
    randomBytes(length).toString('hex').slice(0, length),
  )
}

const DAY_MS = 86_400_000
const FIRST_MS = Date.now() + 10 * DAY_MS
const TIME_SLOTS = 100_000

/** A program of one minute. Its time slot is a hash of the word, so that two words hardly ever overlap. */
export function aProgram(channelId: string, word: string) {
  const slot = createHash('sha256').update(word).digest().readUInt32BE() % TIME_SLOTS
  const video = { type: 'VIDEO', video_source_id: `video-${word}`, title: `Video of ${word}`, duration: 60 }
  return {
    linear_channel_id: channelId,
    source_id: word,
    program_title: `Program of ${word}`,
    videos: [{ ...video, video_url: 'https://partner.example/film.mp4' }],
    schedule: { start_time: new Date(FIRST_MS + slot * 60_000).toISOString(), duration_ms: 60_000 },
  }
}

/** A program of an ad pod, in an hour of its own before all others. */
export function aPod(hour: number) {
  const startMs = FIRST_MS - 5 * DAY_MS + hour * 3_600_000
  return {
    title: `Pod ${hour}`,
    start_time: new Date(startMs).toISOString(),
    end_time: new Date(startMs + 60_000).toISOString(),
    items: [{ type: 'AD_POD', duration: 60 }],
  }
}
