import { migrateSchema } from '@continuity/server/owner'
import { startApi } from './api-process.ts'
import { type Child, failureOf } from './child-process.ts'
import { ensureCredentialKeys } from './credential-keys.ts'
import { type DemoAccount, ensureDemoAccount } from './demo-account.ts'
import { ensureFeedKeys } from './feed-keys.ts'
import { lockHome } from './home-lock.ts'
import { birthOf, stopLeftBehind } from './left-behind.ts'
import { makeHome } from './make-home.ts'
import type { NatsUrls } from './nats-users.ts'
import { NODE_STOPPING, waitForNode } from './node-process.ts'
import { startPlayout } from './playout-process.ts'
import { orAnyPort, requireFreePort } from './ports.ts'
import { startReceiverProcess } from './receiver-process.ts'
import { ensureSecretKeys, ensureViewingKey } from './secret-keys.ts'
import { logReady, type ServersOptions, startServers } from './servers.ts'
import { findStackFile, recordProcess, removeStackFile, writeStackFile } from './stack-file.ts'
import { startWorker } from './worker-process.ts'

export interface StackOptions extends ServersOptions {
  readonly port: number // of the API; 0 for any free one
  readonly settings?: Readonly<Record<string, string>> // of the processes
  readonly withoutWorker?: boolean // for tests that leave no jobs
  readonly withoutPlayout?: boolean // for tests that play nothing
  readonly withReceiver?: boolean // for live sources
  readonly withConsoleLogin?: boolean // the console opens with the demo account, on this machine
}

export interface Stack {
  readonly baseUrl: string
  readonly playoutUrl: string | undefined
  readonly databaseUrl: string
  readonly databaseOwnerUrl: string
  /** Of the owner of NATS, who may do anything. */
  readonly natsUrl: string
  readonly natsUrls: NatsUrls
  readonly demoAccount: DemoAccount
  /** Settles when a process ends unexpectedly; the stack is then to be stopped. */
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
  await stopEarlierProcesses(home)
  opened.defer(() => removeStackFile(home))
  await requireFreePort(options.port)

  const { settings = {} } = options
  const { database, nats } = await startServers(options, opened)
  const feedKeys = await ensureFeedKeys(home)
  const secretKeys = await ensureSecretKeys(home)
  const viewingKey = await ensureViewingKey(home)
  // Before what the API needs is made ready: it needs the node's address.
  const playoutStartedMs = performance.now()
  const playout =
    options.withoutPlayout === true
      ? undefined
      : await startPlayout({
          home,
          // Next to the API, so that a player finds its channel again after a restart.
          port: options.port === 0 ? 0 : await orAnyPort(options.port + 1),
          natsUrl: nats.urls.playout_1,
          settings: { ...feedKeys.verifying, ...viewingKey, ...settings },
        })
  if (playout !== undefined) opened.defer(() => playout.stop())
  const servers = [database.child, nats.child].filter((child) => child !== undefined)
  const urls = { database_url: database.url, database_owner_url: database.ownerUrl, nats_url: nats.url }
  await migrateSchema(database.ownerUrl, { nowMs: Date.now(), log: (line) => log(`Migrated: ${line}`) })
  const demoAccount = await ensureDemoAccount(home, database.ownerUrl)
  const credentialKeysFile = await ensureCredentialKeys(home)

  const playoutUrl = playout && (await waitForNode(playout, signal))
  if (playout !== undefined) logReady(log, playout, playoutStartedMs)
  const startedMs = performance.now()
  const api = await startApi({
    home,
    port: options.port,
    databaseUrl: database.url,
    natsUrl: nats.urls.api,
    credentialKeysFile,
    playoutUrl,
    settings: {
      ...feedKeys.signing,
      ...secretKeys,
      ...viewingKey,
      ...(options.withConsoleLogin === true && { CONSOLE_LOGIN: loginOf(demoAccount) }),
      ...settings,
    },
  })
  opened.defer(() => api.stop())
  const worker =
    options.withoutWorker === true
      ? undefined
      : await startWorker({
          home,
          databaseUrl: database.url,
          natsUrl: nats.urls.worker,
          settings: { ...feedKeys.signing, ...secretKeys, ...settings },
        })
  if (worker !== undefined) opened.defer(() => worker.stop())
  const receiver =
    options.withReceiver === true
      ? await startReceiverProcess({ home, natsUrl: nats.urls.receiver_1, settings })
      : undefined
  if (receiver !== undefined) opened.defer(() => receiver.stop())
  const children = [...servers, playout, api, worker, receiver].filter((child) => child !== undefined)
  const record = {
    pid: process.pid,
    playout_url: playoutUrl ?? null,
    ...urls,
    processes: await Promise.all(children.map(recordProcess)),
  }
  await writeStackFile(home, { ...record, base_url: null })
  const baseUrl = await waitForNode(api, signal)
  await writeStackFile(home, { ...record, base_url: baseUrl })
  logReady(log, api, startedMs)
  if (worker !== undefined) {
    await waitForNode(worker, signal)
    logReady(log, worker, startedMs)
  }
  if (receiver !== undefined) {
    await waitForNode(receiver, signal)
    logReady(log, receiver, startedMs)
  }

  const all = opened.move()
  const watch = watchChildren(children)
  const stop = async () => {
    watch.end()
    await all.disposeAsync()
  }
  return {
    baseUrl,
    playoutUrl,
    databaseUrl: database.url,
    databaseOwnerUrl: database.ownerUrl,
    natsUrl: nats.url,
    natsUrls: nats.urls,
    demoAccount,
    broken: watch.broken,
    stop,
  }
}

const OURS = ['The API', 'The worker', 'The playout node', 'The receiver']

/** They end by themselves when their starter was killed; we only must not come before they have. */
async function stopEarlierProcesses(home: string): Promise<void> {
  const earlier = await findStackFile(home)
  const ours = earlier?.processes.filter(({ name }) => OURS.includes(name)) ?? []
  for (const { pid, born } of ours) {
    const isStillIt = async () => born !== undefined && (await birthOf(pid)) === born
    await stopLeftBehind({ ...NODE_STOPPING, pid, isStillIt })
  }
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

const loginOf = ({ account_name, email, password }: DemoAccount): string =>
  JSON.stringify({ account_name, email, password })
