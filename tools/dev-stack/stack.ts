import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { API_STOPPING, startApi, waitForApi } from './api-process.ts'
import { type Child, failureOf } from './child-process.ts'
import { ensureCredentialKeys } from './credential-keys.ts'
import { lockHome } from './home-lock.ts'
import { birthOf, stopLeftBehind } from './left-behind.ts'
import { requireFreePort } from './ports.ts'
import { logReady, type ServersOptions, startServers } from './servers.ts'
import { findStackFile, recordProcess, removeStackFile, writeStackFile } from './stack-file.ts'
import { isRoot } from './system-user.ts'

export interface StackOptions extends ServersOptions {
  readonly port: number // of the API; 0 for any free one
  readonly apiSettings?: Readonly<Record<string, string>>
}

export interface Stack {
  readonly baseUrl: string
  readonly databaseUrl: string
  readonly natsUrl: string
  /** Settles when a process ends that nobody asked to end; the stack is then to be stopped. */
  readonly broken: Promise<Error>
  stop(): Promise<void>
}

/** Starts the whole system, or nothing: what had started when a later part fails is stopped again. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { home, log, signal } = options
  // What is opened is closed in reverse: the API drains before its database goes.
  await using opened = new AsyncDisposableStack()
  await makeHome(home)
  const lock = await lockHome(home)
  opened.defer(() => lock.release())
  await stopEarlierApi(home)
  opened.defer(() => removeStackFile(home))
  await requireFreePort(options.port)

  const { database, nats } = await startServers(options, opened)
  const servers = [database.child, nats.child].filter((child) => child !== undefined)
  const urls = { database_url: database.url, nats_url: nats.url }
  const credentialKeysFile = await ensureCredentialKeys(home)

  const startedMs = performance.now()
  const api = await startApi({
    home,
    port: options.port,
    databaseUrl: database.url,
    natsUrl: nats.url,
    credentialKeysFile,
    settings: options.apiSettings ?? {},
  })
  opened.defer(() => api.stop())
  const children = [...servers, api]
  const record = { pid: process.pid, ...urls, processes: await Promise.all(children.map(recordProcess)) }
  await writeStackFile(home, { ...record, base_url: null })
  const baseUrl = await waitForApi(api, signal)
  await writeStackFile(home, { ...record, base_url: baseUrl })
  logReady(log, api, startedMs)

  const all = opened.move()
  const watch = watchChildren(children)
  const stop = async () => {
    watch.end()
    await all.disposeAsync()
  }
  return { baseUrl, databaseUrl: database.url, natsUrl: nats.url, broken: watch.broken, stop }
}

async function makeHome(home: string): Promise<void> {
  // Root's database runs as another user, who must be able to pass through.
  await mkdir(home, { recursive: true, mode: isRoot() ? 0o711 : 0o700 })
  await mkdir(join(home, 'logs'), { recursive: true, mode: 0o700 })
}

/** It ends by itself when its starter was killed; we only must not come before it has left its port. */
async function stopEarlierApi(home: string): Promise<void> {
  const earlier = await findStackFile(home)
  const api = earlier?.processes.find((process) => process.name === 'The API')
  if (!api) return
  await stopLeftBehind({
    ...API_STOPPING,
    pid: api.pid,
    isStillIt: async () => api.born !== undefined && (await birthOf(api.pid)) === api.born,
  })
}

function watchChildren(children: readonly Child[]): { broken: Promise<Error>; end(): void } {
  const { promise, resolve } = Promise.withResolvers<Error>()
  let isWatching = true // cleared once, when the stack is being stopped
  const reportEnd = async (child: Child) => {
    const how = await child.exited
    if (isWatching) resolve(await failureOf(child, how))
  }
  for (const child of children) {
    void reportEnd(child)
  }
  return {
    broken: promise,
    end: () => {
      isWatching = false
    },
  }
}
