import type { Child } from './child-process.ts'
import { messageOf } from './fault.ts'
import { type NatsServer, sameForAll } from './nats-users.ts'
import { startPrivateNats } from './private-nats.ts'
import { startPrivatePostgres } from './private-postgres.ts'
import type { PrivateServerOptions } from './private-server.ts'

export interface ServersOptions extends PrivateServerOptions {
  readonly databaseUrl?: string | undefined // of the service role; none: a private PostgreSQL
  readonly databaseOwnerUrl?: string | undefined // of the role that owns the schema, where a server is given
  readonly natsUrl?: string | undefined // none: a private NATS
  readonly pgBinDir?: string | undefined
}

export interface Server {
  readonly url: string
  readonly child: Child | undefined // undefined for one that was there before us and stays
  stop(): Promise<void>
}

export interface Servers {
  readonly database: Server & { readonly ownerUrl: string }
  readonly nats: Server & NatsServer
}

/**
 * Starts both servers at the same time, or takes the ones that were given.
 *
 * What started is left in `opened`, also when the other one failed; the
 * errors of both are reported together.
 */
export async function startServers(options: ServersOptions, opened: AsyncDisposableStack): Promise<Servers> {
  const { databaseUrl, databaseOwnerUrl, natsUrl, home, searchPath, log, signal } = options
  const common = { home, searchPath, log, signal }
  const [database, nats] = await Promise.allSettled([
    databaseUrl === undefined
      ? timed(log, startPrivatePostgres({ ...common, binDir: options.pgBinDir }))
      : { ...given(databaseUrl), ownerUrl: databaseOwnerUrl ?? databaseUrl },
    natsUrl === undefined
      ? timed(log, startPrivateNats(common))
      : { ...given(natsUrl), urls: sameForAll(natsUrl) },
  ])
  if (database.status === 'fulfilled') opened.defer(() => database.value.stop())
  if (nats.status === 'fulfilled') opened.defer(() => nats.value.stop())
  if (database.status === 'fulfilled' && nats.status === 'fulfilled') {
    return { database: database.value, nats: nats.value }
  }
  const faults: unknown[] = [database, nats].flatMap((result) =>
    result.status === 'rejected' ? [result.reason] : [],
  )
  throw new AggregateError(faults, faults.map(messageOf).join('\n'))
}

export function logReady(log: (line: string) => void, child: Child, startedMs: number): void {
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
  log(`${child.name} is ready after ${seconds} s; it logs to ${child.logFile}`)
}

async function timed<S extends { readonly child: Child }>(
  log: (line: string) => void,
  starting: Promise<S>,
): Promise<S> {
  const startedMs = performance.now()
  const server = await starting
  logReady(log, server.child, startedMs)
  return server
}

function given(url: string): Server {
  return { url, child: undefined, stop: async () => {} }
}
