import { join } from 'node:path'
import type { AnswerOf, BodyOf, Operations } from '@continuity/contract'
import type { Child } from '@continuity/dev/child-process'
import { pollUntil } from '@continuity/dev/waiting'
import { type Login, type Running, type Site, startSite } from './site.ts'
import { until } from './until.ts'

export type IngestBody = BodyOf<Operations['scheduleProgram']>
export type IngestStatus = AnswerOf<Operations['getScheduleRequest']>

interface IngestOptions {
  /** Loopback addresses that the outbound client allows. */
  readonly allow: readonly string[]
  readonly settings?: Readonly<Record<string, string>>
  readonly natsServers?: number
}

export interface IngestSystem
  extends Pick<Site, 'home' | 'nats' | 'sql' | 'postgres' | 'startPostgresAgain'> {
  readonly mediaFolder: string
  readonly apiUrl: string
  /** The process that `call` uses. */
  readonly api: Child
  readonly channelId: string
  /** An administrator, and the headers of a session. */
  readonly login: Login
  readonly headers: Readonly<Record<string, string>>
  /** Starts another API process. */
  startApi(): Promise<Running>
  /** Starts a worker; its scratch folder is reused under the same name. */
  startWorker(name: string): Promise<Child>
  call<T>(method: string, path: string, body?: unknown): Promise<T>
  submit(body: IngestBody): Promise<string>
  statusOf(requestId: string): Promise<IngestStatus>
}

/** Small and fast; the tests do not depend on the picture. */
const quickSettings = { LADDER: '160x90@100+64', ENCODER_PRESET: 'ultrafast' }

/** Starts PostgreSQL, NATS, an API process, and an account with a channel; proofs start the workers themselves. */
export async function startIngestSystem(
  opened: AsyncDisposableStack,
  { allow, settings = {}, natsServers = 1 }: IngestOptions,
): Promise<IngestSystem> {
  const site = await startSite(opened, { natsServers })
  const { home } = site
  const mediaFolder = join(home, 'media')
  const [login] = await site.addAccount('station')
  const startApi = () =>
    site.startApi({ name: 'api', settings: { MEDIA_BASE_URL: 'https://media.example/', ...settings } })
  const { url: apiUrl, child: api } = await startApi()
  const { headers, call } = await openSession(apiUrl, login)
  type Channel = { linear_channel_id: string }
  const channel = await call<Channel>('POST', '/api/2.3/linear_channels', { title: 'One' })
  return {
    ...site,
    mediaFolder,
    apiUrl,
    api,
    login,
    headers,
    channelId: channel.linear_channel_id,
    startApi,
    async startWorker(name) {
      const folders = { MEDIA_STORE: mediaFolder, SCRATCH_DIR: join(home, name, 'scratch') }
      const own = { ...quickSettings, ...folders, OUTBOUND_ALLOW: allow.join(','), ...settings }
      return (await site.startWorker({ name, settings: own })).child
    },
    call,
    submit: async (body) =>
      (await call<{ request_id: string }>('POST', '/api/2.1/automation/schedule', body)).request_id,
    statusOf: (requestId) => call('GET', `/api/2.1/automation/schedule/${requestId}`),
  }
}

/** Logs in, and returns a function that calls operations with that session. */
export async function openSession(apiUrl: string, login: Login) {
  type Session = AnswerOf<Operations['login']>
  const { token, device_id } = await callApi<Session>(apiUrl, {}, 'POST', '/api/2.1/auth/login', login)
  const headers = { 'x-service-auth': token.token_access, 'x-service-device': device_id }
  const call = <T>(method: string, path: string, body?: unknown) =>
    callApi<T>(apiUrl, headers, method, path, body)
  return { headers, call }
}

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
