import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startApi, waitForApi } from '../../tools/dev-stack/api-process.ts'
import type { Child } from '../../tools/dev-stack/child-process.ts'
import { ensureCredentialKeys } from '../../tools/dev-stack/credential-keys.ts'
import { startServers } from '../../tools/dev-stack/servers.ts'
import { credentialHeaders } from '../credential-headers.ts'
import { findLastingPorts } from './lasting-ports.ts'
import { startNginx } from './nginx.ts'

/** Short, so that a run sees many restarts; nginx has no probe that would need longer. */
export const DRAIN_GRACE_MS = 300
const DRAIN_LAST_MS = 5_000
/** By far less than the last phase of a drain, as in production (5 s of 15 s). */
const NGINX_KEEPALIVE_MS = 1_000
export const LONGEST_DRAIN_MS = DRAIN_GRACE_MS + DRAIN_LAST_MS

/** An API process that keeps its port from one start to the next. */
export interface RunningApi {
  readonly name: string
  readonly port: number
  readonly child: Child
  /** Starts it anew, when it has ended, and waits until it is ready. */
  startAgain(): Promise<RunningApi>
}

export interface ApiPair {
  readonly apis: readonly [RunningApi, RunningApi]
  readonly nginx: Child
  readonly nginxPort: number
  /** Those that a request needs. */
  readonly headers: Readonly<Record<string, string>>
}

/** Two API processes behind nginx, with servers of their own. All of it ends with `opened`. */
export async function startApiPair(opened: AsyncDisposableStack): Promise<ApiPair> {
  const home = await mkdtemp(join(tmpdir(), 'continuity-rolling-'))
  opened.defer(() => rm(home, { recursive: true, force: true }))
  // The workers of root's nginx and root's PostgreSQL are other users, and must get through.
  await chmod(home, 0o711)
  await mkdir(join(home, 'logs'))
  const { database, nats } = await startServers(
    { home, searchPath: process.env.PATH ?? '', log: () => {} },
    opened,
  )
  const credentialKeysFile = await ensureCredentialKeys(home)
  const [port1, port2, nginxPort] = await findLastingPorts()

  const start = async (name: string, port: number): Promise<RunningApi> => {
    const child = await startApi({
      home: join(home, name),
      port,
      databaseUrl: database.url,
      natsUrl: nats.url,
      credentialKeysFile,
      settings: { DRAIN_GRACE_MS: `${DRAIN_GRACE_MS}`, DRAIN_LAST_MS: `${DRAIN_LAST_MS}` },
    })
    opened.defer(() => child.stop())
    await waitForApi(child)
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
  const headers = await credentialHeaders(credentialKeysFile, ['ROLE_USER', 'SCHEDULE'], Date.now())
  return { apis, nginx, nginxPort, headers }
}
