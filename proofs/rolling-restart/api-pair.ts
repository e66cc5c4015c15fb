import { randomBytes } from 'node:crypto'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, type Session } from '@continuity/client'
import { startApi } from '@continuity/dev/api-process'
import type { Child } from '@continuity/dev/child-process'
import { ensureCredentialKeys } from '@continuity/dev/credential-keys'
import { findLastingPorts } from '@continuity/dev/lasting-ports'
import { startNginx } from '@continuity/dev/nginx'
import { waitForNode } from '@continuity/dev/node-process'
import { startServers } from '@continuity/dev/servers'
import { migrateSchema, openOwner } from '@continuity/server/owner'
import { everyRole } from '../../e2e/every-role.ts'
import { fetchOnce } from './send.ts'
import type { Login } from './session-requests.ts'

/** Short, so that a run sees many restarts; nginx has no probe that would need longer. */
export const DRAIN_GRACE_MS = 300
const DRAIN_LAST_MS = 5_000
/** By far less than the last phase of a drain, as in production (5 s of 15 s). */
const NGINX_KEEPALIVE_MS = 1_000

/** An API process that keeps its port from one start to the next. */
export interface RunningApi {
  readonly name: string
  readonly port: number
  readonly child: Child
  /** Starts it again after it has exited, and waits until it is ready. */
  startAgain(): Promise<RunningApi>
}

export interface ApiPair {
  readonly apis: readonly [RunningApi, RunningApi]
  readonly nginx: Child
  readonly nginxPort: number
  /** Users of one account. */
  readonly logins: readonly Login[]
  /** A session of each. */
  readonly sessions: readonly Session[]
}

export const USERS = 8

/** Two API processes behind nginx, with their own database and NATS. Stopped when `opened` is disposed. */
export async function startApiPair(opened: AsyncDisposableStack): Promise<ApiPair> {
  const home = await mkdtemp(join(tmpdir(), 'continuity-rolling-'))
  opened.defer(() => rm(home, { recursive: true, force: true }))
  // When run as root, nginx workers and PostgreSQL run as other users and must be able to enter.
  await chmod(home, 0o711)
  await mkdir(join(home, 'logs'))
  const { database, nats } = await startServers(
    { home, searchPath: process.env.PATH ?? '', log: () => {} },
    opened,
  )
  await migrateSchema(database.ownerUrl, { nowMs: Date.now() })
  const logins = await addUsers(database.ownerUrl)
  const credentialKeysFile = await ensureCredentialKeys(home)
  const [port1, port2, nginxPort] = await findLastingPorts()

  const start = async (name: string, port: number): Promise<RunningApi> => {
    const child = await startApi({
      home: join(home, name),
      port,
      databaseUrl: database.url,
      natsUrl: nats.urls.api,
      credentialKeysFile,
      settings: { DRAIN_GRACE_MS: `${DRAIN_GRACE_MS}`, DRAIN_LAST_MS: `${DRAIN_LAST_MS}` },
    })
    opened.defer(() => child.stop())
    await waitForNode(child)
    return { name, port, child, startAgain: () => start(name, port) }
  }
  const startFirst = async (name: string, port: number) => {
    await mkdir(join(home, name, 'logs'), { recursive: true })
    return start(name, port)
  }
  const apis = await Promise.all([startFirst('a', port1), startFirst('b', port2)])
  const nginx = await startNginx({
    folder: join(home, 'nginx'),
    port: nginxPort,
    apiPorts: [port1, port2],
    keepaliveMs: NGINX_KEEPALIVE_MS,
  })
  opened.defer(() => nginx.stop())
  const sessions = await Promise.all(logins.map((login) => logIn(port1, login)))
  return { apis, nginx, nginxPort, logins, sessions }
}

async function addUsers(ownerUrl: string): Promise<Login[]> {
  const owner = openOwner(ownerUrl, Date.now())
  const account_name = 'rolling'
  const [title, country, frame_rate, segment_ms] = [undefined, undefined, undefined, undefined]
  await owner.createAccount({ account_name, title, country, frame_rate, segment_ms })
  const password = randomBytes(12).toString('base64url')
  const emails = Array.from({ length: USERS }, (_, i) => `user-${i}@rolling.example`)
  for (const email of emails)
    await owner.createUser(account_name, { email, name: '', password, roles: everyRole })
  await owner.close()
  return emails.map((email) => ({ account_name, email, password }))
}

async function logIn(port: number, login: Login): Promise<Session> {
  return createClient({ baseUrl: `http://127.0.0.1:${port}`, fetch: fetchOnce }).login({ body: login })
}
