import pg from 'pg'
import type { Logger } from '../logger.ts'
import type { Metrics } from '../metrics.ts'
import { tellFaults } from '../told-faults.ts'
import { ByteClient } from './byte-client.ts'
import { DatabaseUnavailable, isConnectionFault, isStalePlan, isUnavailable } from './database-errors.ts'
import { setAccount } from './scoped-query.ts'

export interface PoolOptions {
  readonly connections: number
  readonly logger: Logger
  readonly metrics?: Metrics
  /** Multiplies all time limits, for tests on a machine that is busy with others. */
  readonly patience?: number
}

/**
 * To get a connection, be it a new one or one that another request gives back.
 * Attempts that a dead network swallowed fill the pool for as long again after
 * it is back, and the first answer should not take two seconds then.
 */
const ACQUIRE_MS = 1_500

/** In PostgreSQL; the client waits a little longer, so that most often the server's own word arrives. */
const STATEMENT_MS = 5_000
const LOCK_MS = 4_000
const QUERY_MS = 6_000

/** A process that was cut off in a transaction keeps its locks this long: no longer than a statement may. */
const IDLE_IN_TRANSACTION_MS = STATEMENT_MS

/** Connections of which none is used again that is in doubt, and that are left all together when one was lost. */
export class ConnectionPool {
  readonly #pool: pg.Pool
  readonly #idle = new Set<pg.PoolClient>() // in nobody's hands; written by the events of the pool only
  readonly #schemaAtOpen = new WeakMap<pg.PoolClient, number>() // #schemaChanges when each connection was opened
  readonly #logger: Logger
  readonly #tell: (error: unknown) => void
  #schemaChanges = 0 // as far as statements of this pool have met them
  #answers = 0 // statements that the server has answered
  #isGone = false // from when a connection was tried for in vain, and nothing answered meanwhile, until something is
  #nextTryMs = 0 // while it is gone
  #unavailable = 0
  #lost = 0

  constructor(url: string, { connections, logger, metrics, patience = 1 }: PoolOptions) {
    this.#pool = openPool(url, connections, patience)
    this.#logger = logger
    this.#tell = tellFaults(logger, 'the database is not available')
    this.#listen()
    if (metrics !== undefined) this.#measure(metrics)
  }

  /**
   * While the database is gone, tries are spread over the time that one takes,
   * so that one of them finds it soon after its return. Who may not try is told
   * at once: a crowd that waited would come in together, with little patience left.
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
        // The pool itself hears a moment later of one that was cut.
        if (!isCut(client)) return client
        client.release(true)
      }
    } catch (error) {
      if (this.#answers === answersBefore) this.#isGone = isUnavailable(error)
      throw this.#named(error)
    }
  }

  /** Runs something on a connection; one that is in doubt afterwards is closed. */
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
      // What the server did not say the driver did: it can then be wrong about what the server has prepared.
      else if (!(error instanceof pg.DatabaseError)) cut(client)
      throw this.#named(error)
    }
  }

  /**
   * A transaction left open would be the next request's, so it goes, and the connection with it. So does a connection
   * from before a change of the schema, because its prepared statements may be stale.
   */
  release(client: pg.PoolClient, isInTransaction: boolean): void {
    const isIdle = !isInTransaction && !isCut(client) && inside(client).getTransactionStatus() === 'I'
    const isClean = isIdle && this.#isCurrent(client)
    // A polite goodbye would wait for a server that may have gone.
    if (!isClean) cut(client)
    client.release(!isClean)
  }

  close(): Promise<void> {
    return this.#pool.end()
  }

  /**
   * One connection that was lost says that the others may be as dead, and each
   * would cost a request its whole patience to find out. Those in use are left
   * to their users: what answers is not dead.
   */
  #leave(client: pg.PoolClient): void {
    if (isCut(client)) return
    this.#lost += 1
    cut(client)
    for (const other of this.#idle) cut(other)
  }

  /**
   * One stale statement means that every connection opened so far has some. The idle ones are closed now, those in use
   * when they are released, so that a change of the schema fails one transaction and not one per connection.
   */
  #renewAll(client: pg.PoolClient): void {
    if (!this.#isCurrent(client)) return
    this.#schemaChanges += 1
    this.#logger.info('database: the schema has changed; reconnecting')
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
    // Unheard, a connection that breaks would end the process: an idle one is told here, one in use by its query.
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
    metrics.gauge('database_connections', 'Connections to PostgreSQL that are open.', () => pool.totalCount)
    metrics.gauge('database_waiting', 'Requests that wait for a connection.', () => pool.waitingCount)
    metrics.total(
      'database_unavailable_total',
      'Statements that PostgreSQL did not answer in time or at all.',
      () => this.#unavailable,
    )
    metrics.total(
      'database_connections_lost_total',
      'Connections that broke or went silent in use; the idle ones went with them.',
      () => this.#lost,
    )
  }

  #named(error: unknown): unknown {
    if (!isUnavailable(error)) return error
    this.#unavailable += 1
    this.#tell(error)
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
    // What lies idle says goodbye at the end, and a server that does not answer must not keep the process from ending.
    allowExitOnIdle: true,
    types,
    ...beforeFirstUse,
  })
}

/** The pool waits for it, which its types do not say. */
const beforeFirstUse = {
  onConnect: async (client: pg.ClientBase) => {
    await client.query({ ...setAccount, values: [''] })
    // Statements take milliseconds; compiling one takes tens of them, whenever its cost is guessed high.
    await client.query('set jit = off')
  },
}

/** What its types leave out of a connection. */
interface Inside {
  readonly connection: { readonly stream: { readonly destroyed: boolean; destroy(): void } }
  /** As the server told it last: I is none. */
  getTransactionStatus(): string | null
}

const inside = (client: pg.PoolClient) => client as unknown as Inside

/** At once and without a word. The server rolls back what was open. */
const cut = (client: pg.PoolClient) => inside(client).connection.stream.destroy()
const isCut = (client: pg.PoolClient) => inside(client).connection.stream.destroyed

/** Counts and times are bigint in PostgreSQL and well below 2^53 with us. */
function getTypeParser(oid: Oid, format?: 'text' | 'binary') {
  return oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)
}

/** What values of PostgreSQL are read as. */
export const types = { getTypeParser }

type Oid = Parameters<typeof pg.types.getTypeParser>[0]
