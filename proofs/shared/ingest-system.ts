import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AnswerOf, BodyOf, Operations } from '@continuity/contract'
import { startApi } from '@continuity/dev/api-process'
import type { Child } from '@continuity/dev/child-process'
import { ensureCredentialKeys } from '@continuity/dev/credential-keys'
import { findLastingPorts } from '@continuity/dev/lasting-ports'
import { makeHome } from '@continuity/dev/make-home'
import { type NatsUrls, sameForAll } from '@continuity/dev/nats-users'
import { waitForNode } from '@continuity/dev/node-process'
import { type PrivatePostgres, startPrivatePostgres } from '@continuity/dev/private-postgres'
import { removeHome } from '@continuity/dev/remove-home'
import { openSql, type Sql } from '@continuity/dev/sql'
import { pollUntil } from '@continuity/dev/waiting'
import { startWorker } from '@continuity/dev/worker-process'
import { migrateSchema, openOwner } from '@continuity/server/owner'
import { type Database, openDatabase } from '../../packages/server/src/platform/database/database.ts'
import { createLog } from '../../packages/server/src/platform/log/logger.ts'
import { until } from './until.ts'

export type IngestBody = BodyOf<Operations['scheduleProgram']>
export type IngestStatus = AnswerOf<Operations['getScheduleRequest']>

export interface IngestOptions {
  /** Loopback addresses that the outbound client allows. */
  readonly allow: readonly string[]
  /** Settings of the media store; by default a folder of the system. */
  readonly store?: Readonly<Record<string, string>>
  /** Without it there is no NATS: most tests need no feed. */
  readonly natsUrls?: Pick<NatsUrls, 'api' | 'worker'>
  readonly settings?: Readonly<Record<string, string>>
}

export interface IngestSystem {
  readonly home: string
  /** The folder of the media store, unless the options configure another store. */
  readonly mediaFolder: string
  readonly apiUrl: string
  /** The process that `call` uses. */
  readonly api: Child
  readonly channelId: string
  readonly headers: Readonly<Record<string, string>>
  /** As the superuser, who sees every row. */
  readonly sql: Sql
  readonly database: Database
  readonly postgres: () => PrivatePostgres
  startPostgresAgain(): Promise<void>
  /** Starts another API process. */
  startApi(): Promise<{ readonly child: Child; readonly url: string }>
  /** Starts a worker; its scratch folder is reused under the same name. */
  startWorker(name: string): Promise<Child>
  call<T>(method: string, path: string, body?: unknown): Promise<T>
  submit(body: IngestBody): Promise<string>
  statusOf(requestId: string): Promise<IngestStatus>
}

/** Small and fast; the tests do not depend on the picture. */
const quickSettings = { LADDER: '160x90@100+64', ENCODER_PRESET: 'ultrafast' }

/** An administrator. */
export const LOGIN = {
  account_name: 'station',
  email: 'admin@station.example',
  password: 'the tide is out today',
}

/** Starts PostgreSQL, an API process, and an account with a channel; tests start the workers themselves. */
export async function startIngestSystem(
  opened: AsyncDisposableStack,
  options: IngestOptions,
): Promise<IngestSystem> {
  const home = await mkdtemp(join(tmpdir(), 'continuity-ingest-'))
  opened.defer(() => removeHome(home))
  await makeHome(home)
  const mediaFolder = join(home, 'media')
  const [port] = await findLastingPorts()
  const servers = { home, searchPath: process.env['PATH'] ?? '', log: () => {} }
  const start = () => startPrivatePostgres({ ...servers, binDir: process.env['PG_BIN_DIR'], port })
  let postgres: PrivatePostgres = await start()
  opened.defer(() => postgres.stop())
  await migrateSchema(postgres.ownerUrl, { nowMs: Date.now() })
  await createAccount(postgres.ownerUrl, LOGIN, 'The station')
  const { logger } = createLog({ level: 'silent', process: 'proof', instance: 'proof' })
  const superuserUrl = Object.assign(new URL(postgres.ownerUrl), { username: 'postgres' }).href
  const database = openDatabase(superuserUrl, { connections: 4, logger, patience: 8 })
  opened.defer(() => database.close())
  const sql = openSql(superuserUrl)
  opened.defer(() => sql.close())

  const credentialKeysFile = await ensureCredentialKeys(home)
  const natsUrls = options.natsUrls ?? sameForAll('nats://127.0.0.1:9')
  const store = { MEDIA_STORE: mediaFolder, ...options.store }
  const folderOf = async (name: string) => {
    await mkdir(join(home, name, 'logs'), { recursive: true })
    return join(home, name)
  }
  const ready = async (child: Child) => {
    opened.defer(() => child.stop())
    return { child, url: await waitForNode(child) }
  }
  const startAnApi = async () =>
    ready(
      await startApi({
        home: await folderOf('api'),
        port: 0,
        databaseUrl: postgres.url,
        natsUrl: natsUrls.api,
        credentialKeysFile,
        settings: { MEDIA_BASE_URL: 'https://media.example/', ...options.settings },
      }),
    )
  const { url: apiUrl, child: api } = await startAnApi()
  const { headers, call } = await openSession(apiUrl, LOGIN)
  const channel = await call<{ linear_channel_id: string }>('POST', '/api/2.3/linear_channels', {
    title: 'One',
  })

  return {
    home,
    mediaFolder,
    apiUrl,
    api,
    headers,
    sql,
    database,
    channelId: channel.linear_channel_id,
    postgres: () => postgres,
    async startPostgresAgain() {
      postgres = await start()
    },
    startApi: startAnApi,
    async startWorker(name) {
      const settings = {
        ...quickSettings,
        ...store,
        OUTBOUND_ALLOW: options.allow.join(','),
        SCRATCH_DIR: join(home, name, 'scratch'),
        ...options.settings,
      }
      const workerOptions = {
        home: await folderOf(name),
        databaseUrl: postgres.url,
        natsUrl: natsUrls.worker,
        settings,
      }
      return (await ready(await startWorker(workerOptions))).child
    },
    call,
    submit: async (body) =>
      (await call<{ request_id: string }>('POST', '/api/2.1/automation/schedule', body)).request_id,
    statusOf: (requestId) => call('GET', `/api/2.1/automation/schedule/${requestId}`),
  }
}

export type Login = typeof LOGIN

/** Creates an account with an administrator. */
export async function createAccount(ownerUrl: string, login: Login, title: string): Promise<void> {
  const owner = openOwner(ownerUrl, Date.now())
  const nothing = { country: undefined, frame_rate: undefined, segment_ms: undefined }
  await owner.createAccount({ ...nothing, account_name: login.account_name, title })
  await owner.createUser(login.account_name, { ...login, name: 'Admin', roles: ['ROLE_ADMIN'] })
  await owner.close()
}

/** Logs in, and returns a function that calls operations with that session. */
export async function openSession(apiUrl: string, login: Login) {
  const { token, device_id } = await logIn(apiUrl, login)
  const headers = { 'x-service-auth': token.token_access, 'x-service-device': device_id }
  const call = <T>(method: string, path: string, body?: unknown) =>
    callApi<T>(apiUrl, headers, method, path, body)
  return { headers, call }
}

export type Session = AnswerOf<Operations['login']>

export const logIn = (apiUrl: string, login: Login): Promise<Session> =>
  callApi<Session>(apiUrl, {}, 'POST', '/api/2.1/auth/login', login)

/** Calls an operation of an API process; throws on a status other than 2xx. */
export async function callApi<T>(
  apiUrl: string,
  headers: Readonly<Record<string, string>>,
  method: string,
  path: string,
  body: unknown,
): Promise<T> {
  const send = async () => {
    const answer = await fetch(`${apiUrl}${path}`, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    })
    return { answer, text: await answer.text() }
  }
  // On a busy machine, or one whose clock jumped, a process may reject calls for a moment, without side effects.
  const sent = await pollUntil(async () => {
    const it = await send()
    return it.answer.status === 503 && /"(server\.overloaded|clock\.wrong)"/.test(it.text) ? undefined : it
  }, BUSY_MS)
  const { answer, text } = sent ?? (await send())
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  return (text === '' ? undefined : JSON.parse(text)) as T
}

const BUSY_MS = 30_000

/** A program of these files that begins some hours from now; `slot` selects the time. */
export function aProgramOf(
  channelId: string,
  files: readonly { readonly name: string; readonly address: string }[],
  slot = 0,
): IngestBody {
  const startMs = Math.ceil(Date.now() / 3_600_000) * 3_600_000 + (slot + 2) * 86_400_000
  return {
    linear_channel_id: channelId,
    source_id: 'proof',
    program_title: `Program ${slot}`,
    videos: files.map(({ name, address }) => ({
      type: 'VIDEO' as const,
      video_source_id: name,
      title: name,
      video_url: address,
      duration: 1,
    })),
    schedule: { start_time: new Date(startMs).toISOString(), duration_ms: 86_000_000 },
  }
}

/** Waits until every item has ended. */
export async function untilEnded(
  system: Pick<IngestSystem, 'statusOf'>,
  requestId: string,
  { withinMs, onStatus }: { readonly withinMs: number; readonly onStatus?: (status: IngestStatus) => void },
): Promise<IngestStatus> {
  const lateMs = performance.now() + withinMs
  for (;;) {
    const status = await system.statusOf(requestId).catch(() => undefined)
    if (status !== undefined) onStatus?.(status)
    if (status?.items.every(({ state }) => ended.includes(state))) return status
    if (performance.now() > lateMs) throw new Error(`not ended in time: ${JSON.stringify(status?.items)}`)
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}

const ended: readonly string[] = ['READY', 'FAILED', 'CANCELLED']

/** The slates of the first account, which the worker begins to make when it starts. */
export async function untilSlatesAreMade({ sql }: IngestSystem): Promise<void> {
  await until('the slates of the first account are packaged', async () => {
    const [row] = await sql.query<{ ready: number }>(
      `select count(*) as ready from assets where state = 'READY'`,
    )
    return row!.ready === 3
  })
}
