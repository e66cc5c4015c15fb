import pg from 'pg'
import { createFaultLog } from '../log/fault-log.ts'
import type { Logger } from '../log/logger.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { ByteClient } from './byte-client.ts'
import { DatabaseUnavailable, isConnectionFault, isStalePlan, isUnavailable } from './database-errors.ts'
import { setAccount } from './scoped-query.ts'

export interface PoolOptions {
  readonly connections: number
  readonly logger: Logger
  readonly metrics?: Metrics
  /** Multiplies all timeouts, for a slow database. */
  readonly patience?: number
}

/**
 * The longest wait for a connection, new or released by another request. Attempts that a dead network dropped fill
 * the pool for as long after its return, and the first answer should not take two seconds then.
 */
const ACQUIRE_MS = 1_500

/** Timeouts in PostgreSQL; the client waits a little longer, so that usually the server's own error arrives. */
const STATEMENT_MS = 5_000
const LOCK_MS = 4_000
const QUERY_MS = 6_000

/** A process that was cut off in a transaction keeps its locks this long: no longer than a statement may. */
const IDLE_IN_TRANSACTION_MS = STATEMENT_MS

/** A pool that never reuses a connection in doubt, and drops all idle connections when one was lost. */
export class ConnectionPool {
  readonly #pool: pg.Pool
  readonly #idle = new Set<pg.PoolClient>() // set by the events of the pool only
  readonly #schemaAtOpen = new WeakMap<pg.PoolClient, number>() // value of #schemaChanges when each connection was opened
  readonly #logger: Logger
  readonly #logFault: (error: unknown) => void
  #schemaChanges = 0 // detected by stale statements of this pool
  #answers = 0 // statements that the server has answered
  #isGone = false // from a failed attempt to connect, with no answer meanwhile, until the next answer
  #nextTryMs = 0 // used while #isGone
  #unavailable = 0
  #lost = 0

  constructor(url: string, { connections, logger, metrics, patience = 1 }: PoolOptions) {
    this.#pool = openPool(url, connections, patience)
    this.#logger = logger
    this.#logFault = createFaultLog(logger, 'database: unavailable')
    this.#listen()
    if (metrics !== undefined) this.#measure(metrics)
  }

  /**
   * While the database is gone, attempts are spread over the connect timeout, so that one of them finds it soon after
   * its return. Other callers fail at once: had they waited, all of them would retry together, shortly before their
   * own deadlines.
   */
  async acquire(): Promise<pg.PoolClient> {
    if (this.#isGone && !this.#mayTry()) {
      this.#unavailable += 1
      throw DatabaseUnavailable()
    }
    const answersBefore = this.#answers
    try {
      for (;;) {
        const client = await this.#pool.connect()
        // The pool notices a broken connection only a moment later.
        if (!isCut(client)) return client
        client.release(true)
      }
    } catch (error) {
      if (this.#answers === answersBefore) this.#isGone = isUnavailable(error)
      throw this.#named(error)
    }
  }

  /** Runs a statement on a connection; a connection in doubt afterwards is closed. */
  async watch<T>(client: pg.PoolClient, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    try {
      const result = await work(client)
      this.#answers += 1
      this.#isGone = false
      return result
    } catch (error) {
      if (isStalePlan(error)) {
        this.#renewAll(client)
        throw DatabaseUnavailable(error)
      }
      if (isConnectionFault(error)) this.#leave(client)
      // An error that is not the server's is the driver's, which may then be wrong about prepared statements.
      else if (!(error instanceof pg.DatabaseError)) cut(client)
      throw this.#named(error)
    }
  }

  /**
   * An open transaction must not pass to the next request, so its connection is closed. So is a connection from before
   * a schema change, because its prepared statements may be stale.
   */
  release(client: pg.PoolClient, isInTransaction: boolean): void {
    const isIdle = !isInTransaction && !isCut(client) && inside(client).getTransactionStatus() === 'I'
    const isClean = isIdle && this.#isCurrent(client)
    // A graceful close would wait for a server that may have gone.
    if (!isClean) cut(client)
    client.release(!isClean)
  }

  close(): Promise<void> {
    return this.#pool.end()
  }

  /**
   * When one connection is lost, the others may be dead too, and each would cost a request its whole timeout to find
   * out. Those in use are left alone: a connection that answers is not dead.
   */
  #leave(client: pg.PoolClient): void {
    if (isCut(client)) return
    this.#lost += 1
    cut(client)
    for (const other of this.#idle) cut(other)
  }

  /**
   * One stale statement means that every connection opened so far has some. The idle ones are closed now, those in use
   * on release, so that a schema change fails one transaction and not one per connection.
   */
  #renewAll(client: pg.PoolClient): void {
    if (!this.#isCurrent(client)) return
    this.#schemaChanges += 1
    this.#logger.info('database: schema changed; reconnecting')
    for (const other of this.#idle) cut(other)
  }

  #isCurrent(client: pg.PoolClient): boolean {
    return this.#schemaAtOpen.get(client) === this.#schemaChanges
  }

  #mayTry(): boolean {
    const { idleCount, totalCount, options } = this.#pool
    if (idleCount > 0) return true
    const nowMs = performance.now()
    if (nowMs < this.#nextTryMs || totalCount >= options.max) return false
    this.#nextTryMs = nowMs + ACQUIRE_MS / options.max
    return true
  }

  #listen(): void {
    const pool = this.#pool
    // Without a handler a broken connection would end the process. This one logs idle ones; a query reports its own.
    pool.on('error', (error) => void this.#named(error))
    pool.on('connect', (client) => {
      client.on('error', () => {})
      this.#schemaAtOpen.set(client, this.#schemaChanges)
    })
    pool.on('acquire', (client) => void this.#idle.delete(client))
    pool.on('release', (_error, client) => void this.#idle.add(client))
    pool.on('remove', (client) => void this.#idle.delete(client))
  }

  #measure(metrics: Metrics): void {
    const pool = this.#pool
    metrics.gauge('database_connections', 'Open connections to PostgreSQL.', () => pool.totalCount)
    metrics.gauge('database_waiting', 'Requests waiting for a connection.', () => pool.waitingCount)
    metrics.total(
      'database_unavailable_total',
      'Statements and connection attempts that failed because PostgreSQL was unavailable.',
      () => this.#unavailable,
    )
    metrics.total(
      'database_connections_lost_total',
      'Connections lost while in use; all idle connections are closed with each.',
      () => this.#lost,
    )
  }

  #named(error: unknown): unknown {
    if (!isUnavailable(error)) return error
    this.#unavailable += 1
    this.#logFault(error)
    return DatabaseUnavailable()
  }
}

function openPool(url: string, connections: number, patience: number): pg.Pool {
  return new pg.Pool({
    Client: ByteClient,
    connectionString: url,
    application_name: 'continuity',
    max: connections,
    connectionTimeoutMillis: ACQUIRE_MS * patience,
    statement_timeout: STATEMENT_MS * patience,
    lock_timeout: LOCK_MS * patience,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS * patience,
    query_timeout: QUERY_MS * patience,
    keepAlive: true,
    // Idle connections close gracefully at exit; a server that does not answer must not keep the process from ending.
    allowExitOnIdle: true,
    types,
    ...beforeFirstUse,
  })
}

/** The pool awaits `onConnect`, which its types do not declare. */
const beforeFirstUse = {
  onConnect: async (client: pg.ClientBase) => {
    await client.query({ ...setAccount, values: [''] })
    // Statements take milliseconds; JIT compilation takes tens of them when the planner overestimates the cost.
    await client.query('set jit = off')
  },
}

/** Members of a client that its types do not declare. */
interface Inside {
  readonly connection: { readonly stream: { readonly destroyed: boolean; destroy(): void } }
  /** As last reported by the server; I is idle. */
  getTransactionStatus(): string | null
}

const inside = (client: pg.PoolClient) => client as unknown as Inside

/** Closes the socket without a Terminate message. The server rolls back. */
const cut = (client: pg.PoolClient) => inside(client).connection.stream.destroy()
const isCut = (client: pg.PoolClient) => inside(client).connection.stream.destroyed

/** Our bigint columns, counts and times, are well below 2^53. */
function getTypeParser(oid: Oid, format?: 'text' | 'binary') {
  return oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)
}

/** The parsers of PostgreSQL values. */
export const types = { getTypeParser }

type Oid = Parameters<typeof pg.types.getTypeParser>[0]
