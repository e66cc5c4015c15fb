import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import type pg from 'pg'
import { BatchQuery } from './batch-query.ts'
import { type ConnectionPool, types } from './connection-pool.ts'
import { CopyQuery } from './copy-query.ts'
import { isStaleStatement } from './database-errors.ts'
import { ScopedQuery, setAccount } from './scoped-query.ts'
import { statementNameOf } from './statement-names.ts'

const adapter = new PostgresAdapter()

/** Runs Kysely on our pool, as one account or without an account. */
export function accountDialect(pool: ConnectionPool, accountId: string | undefined): Dialect {
  return {
    createAdapter: () => adapter,
    createDriver: () => new AccountDriver(pool, accountId),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  }
}

/** Queries whose texts are read as bytes. */
export const byteQueries = new WeakSet<CompiledQuery>()

/** The data of `copy … from stdin` queries. */
export const copiedData = new WeakMap<CompiledQuery, Buffer>()

/** The statements executed in one round trip with a query, in order. Its rows are the results of all. */
export const batches = new WeakMap<CompiledQuery, readonly CompiledQuery[]>()

/** Batches that are sent with the next statement of their transaction, or with its COMMIT. */
export const postponed = new WeakSet<CompiledQuery>()

class AccountDriver implements Driver {
  readonly #pool: ConnectionPool
  readonly #accountId: string | undefined

  constructor(pool: ConnectionPool, accountId: string | undefined) {
    this.#pool = pool
    this.#accountId = accountId
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<AccountConnection> {
    return new AccountConnection(this.#pool, await this.#pool.acquire(), this.#accountId)
  }

  async beginTransaction(connection: AccountConnection, settings: TransactionSettings): Promise<void> {
    await connection.begin(settings)
  }

  async commitTransaction(connection: AccountConnection): Promise<void> {
    await connection.commit()
  }

  async rollbackTransaction(connection: AccountConnection): Promise<void> {
    await connection.rollback()
  }

  async releaseConnection(connection: AccountConnection): Promise<void> {
    connection.release()
  }

  async destroy(): Promise<void> {}
}

/** A connection from its acquisition to its release. */
class AccountConnection implements DatabaseConnection {
  readonly #pool: ConnectionPool
  readonly #client: pg.PoolClient
  readonly #accountId: string | undefined
  #isInTransaction = false // until COMMIT or ROLLBACK has succeeded
  #begin: readonly pg.QueryConfig[] = [] // sent with the first statement
  #postponed: readonly pg.QueryConfig[] = [] // sent with the next statement

  constructor(pool: ConnectionPool, client: pg.PoolClient, accountId: string | undefined) {
    this.#pool = pool
    this.#client = client
    this.#accountId = accountId
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const data = copiedData.get(query)
    if (data !== undefined) return this.#copy<R>(query.sql, data)
    const batch = batches.get(query)
    if (batch !== undefined) return this.#executeBatch<R>(batch, postponed.has(query))
    if (!this.#isInTransaction) return this.#executeAlone(query)
    if (byteQueries.has(query)) throw new Error('bytes can only be read outside of a transaction')
    const result = (await this.#send([configOf(query)])).at(-1)!
    return { rows: result.rows as R[], numAffectedRows: BigInt(result.rowCount ?? 0) }
  }

  async #executeAlone<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const accountId = this.#accountId
    const form = byteQueries.has(query) ? 'bytes' : 'text'
    if (form === 'bytes' && accountId === undefined) throw new Error('bytes can only be read as an account')
    const execute = (config: pg.QueryConfig) =>
      this.#pool.watch<pg.QueryResult>(this.#client, (client) =>
        accountId === undefined ? client.query(config) : runScoped(client, config, accountId, form),
      )
    const { name, ...unnamed } = configOf(query)
    const result = await execute({ ...unnamed, ...(name && { name }) }).catch((error: unknown) => {
      // Nothing was executed: without a name the statement is prepared again.
      if (!isStaleStatement(error)) throw error
      return execute(unnamed)
    })
    return { rows: result.rows as R[], numAffectedRows: BigInt(result.rowCount ?? 0) }
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('streaming through Kysely is not supported')
  }

  /** BEGIN and the account setting are sent with the first statement. */
  async begin({ isolationLevel, accessMode }: TransactionSettings): Promise<void> {
    const how = [isolationLevel === undefined ? '' : ` isolation level ${isolationLevel}`, accessMode ?? '']
    const account = this.#accountId === undefined ? [] : [{ ...setAccount, values: [this.#accountId] }]
    this.#isInTransaction = true
    this.#begin = [{ text: `begin${how.join(' ')}` }, ...account]
  }

  async commit(): Promise<void> {
    const isEmpty = this.#begin.length > 0 && this.#postponed.length === 0
    if (!isEmpty) {
      const { command } = (await this.#send([{ text: 'commit' }])).at(-1)!
      // PostgreSQL answers COMMIT of a failed transaction with ROLLBACK.
      if (command !== 'COMMIT')
        throw new Error('the transaction had failed before COMMIT and was rolled back')
    }
    this.#isInTransaction = false
  }

  async rollback(): Promise<void> {
    try {
      if (this.#begin.length === 0) await this.#pool.watch(this.#client, (client) => client.query('rollback'))
      this.#isInTransaction = false
    } catch {
      // The connection is closed on release, and PostgreSQL rolls back. The caller needs the original error.
    }
  }

  release(): void {
    this.#pool.release(this.#client, this.#isInTransaction)
  }

  async #executeBatch<R>(batch: readonly CompiledQuery[], isPostponed: boolean): Promise<QueryResult<R>> {
    if (!this.#isInTransaction) throw new Error('a batch can only be executed in a transaction')
    const configs = batch.map(configOf)
    if (isPostponed) {
      this.#postponed = [...this.#postponed, ...configs]
      return { rows: [] }
    }
    const results = await this.#send(configs)
    return { rows: results.slice(-batch.length).map(({ rows }) => rows) as R[] }
  }

  async #copy<R>(text: string, data: Buffer): Promise<QueryResult<R>> {
    if (!this.#isInTransaction) throw new Error('rows can only be copied in a transaction')
    if (this.#begin.length + this.#postponed.length > 0) await this.#send([])
    const { rowCount } = await this.#pool.watch(this.#client, (client) =>
      runQuery(client, new CopyQuery(text, data)),
    )
    return { rows: [], numAffectedRows: BigInt(rowCount ?? 0) }
  }

  /** In one round trip, after everything that was to be sent with it. Returns the results of all. */
  #send(configs: readonly pg.QueryConfig[]): Promise<readonly pg.QueryResult[]> {
    const all = [...this.#begin, ...this.#postponed, ...configs]
    this.#begin = []
    this.#postponed = []
    return this.#pool.watch(this.#client, (client) =>
      all.length === 1
        ? client.query(all[0]!).then((result) => [result])
        : runQuery<readonly pg.QueryResult[]>(client, new BatchQuery(all)),
    )
  }
}

function configOf({ sql: text, parameters }: CompiledQuery): pg.QueryConfig {
  const name = statementNameOf(text)
  return { text, types, values: [...parameters], ...(name === undefined ? {} : { name }) }
}

function runScoped(
  client: pg.PoolClient,
  config: pg.QueryConfig,
  accountId: string,
  form: 'text' | 'bytes',
): Promise<pg.QueryResult> {
  return runQuery(client, new ScopedQuery(config, accountId, form))
}

function runQuery<R = pg.QueryResult>(client: pg.PoolClient, query: pg.Submittable): Promise<R> {
  return new Promise((resolve, reject) => {
    Object.assign(query, {
      callback: (error: Error | null, result: R) => (error ? reject(error) : resolve(result)),
    })
    client.query(query)
  })
}
