import { join } from 'node:path'
import { type Child, startChild, waitUntilReady } from './child-process.ts'

const PROJECT = join(import.meta.dirname, '../..')
const ENTRY = join(PROJECT, 'packages/server/src/bin/api.ts')
// Node keeps compiled code here between starts, which halves its time to
// ready; one who may not write to the folder starts a little slower.
const COMPILE_CACHE = join(PROJECT, 'node_modules/.cache/continuity')

export const API_STOPPING = { stopSignal: 'SIGTERM', forceSignal: 'SIGKILL', graceMs: 15_000 } as const

export interface ApiOptions {
  readonly home: string
  readonly port: number
  readonly databaseUrl: string
  readonly natsUrl: string
  readonly credentialKeysFile: string
  readonly settings: Readonly<Record<string, string>> // of the caller's choice; the addresses and the port stay ours
}

/**
 * Starts the API, which reports through its message channel when it serves.
 *
 * The channel is its lifeline too: when this process is killed it closes, and
 * the API ends by itself.
 */
export async function startApi(options: ApiOptions): Promise<Child> {
  return startChild({
    ...API_STOPPING,
    name: 'The API',
    command: process.execPath,
    args: [ENTRY],
    env: {
      // No load balancer has to notice first that this one leaves, and nobody likes to wait at Ctrl-C.
      DRAIN_GRACE_MS: '0',
      DRAIN_LAST_MS: '500',
      // An answer that breaks the contract is found here and not by a client.
      CHECK_ANSWERS: 'yes',
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      ...options.settings,
      HOST: '127.0.0.1',
      PORT: `${options.port}`,
      DATABASE_URL: options.databaseUrl,
      NATS_URL: options.natsUrl,
      CREDENTIAL_KEYS_FILE: options.credentialKeysFile,
    },
    logFile: join(options.home, 'logs', 'api.log'),
    withMessages: true,
  })
}

/** The address that the API serves, as soon as it does. */
export async function waitForApi(child: Child, signal?: AbortSignal): Promise<string> {
  return waitUntilReady(child, () => findUrl(child.firstMessage()), 30_000, signal)
}

function findUrl(message: unknown): string | undefined {
  const { ready, url } = (message ?? {}) as { ready?: unknown; url?: unknown }
  return ready === true && typeof url === 'string' ? url : undefined
}
