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
import { ScopedQuery } from './scoped-query.ts'
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
  #isInTransaction = false // from before BEGIN until COMMIT or ROLLBACK has succeeded

  constructor(pool: ConnectionPool, client: pg.PoolClient, accountId: string | undefined) {
    this.#pool = pool
    this.#client = client
    this.#accountId = accountId
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const data = copiedData.get(query)
    if (data !== undefined) return this.#copy<R>(query.sql, data)
    const batch = batches.get(query)
    if (batch !== undefined) return this.#executeBatch<R>(batch)
    const { sql, parameters } = query
    const form = byteQueries.has(query) ? 'bytes' : 'text'
    const config = { text: sql, values: [...parameters] }
    const accountId = this.#isInTransaction ? undefined : this.#accountId
    if (form === 'bytes' && accountId === undefined)
      throw new Error('bytes can only be read as an account and outside of a transaction')
    const execute = (name: string | undefined) =>
      this.#pool.watch<pg.QueryResult>(this.#client, (client) => {
        const named = { ...config, ...(name === undefined ? {} : { name }) }
        return accountId === undefined ? client.query(named) : runScoped(client, named, accountId, form)
      })
    const result = await execute(statementNameOf(sql)).catch((error: unknown) => {
      // Outside of a transaction nothing was executed: without a name the statement is prepared again.
      if (this.#isInTransaction || !isStaleStatement(error)) throw error
      return execute(undefined)
    })
    return { rows: result.rows as R[], numAffectedRows: BigInt(result.rowCount ?? 0) }
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('streaming through Kysely is not supported')
  }

  /** One round trip: BEGIN and the account setting are sent together. */
  async begin({ isolationLevel, accessMode }: TransactionSettings): Promise<void> {
    const how = [isolationLevel === undefined ? '' : ` isolation level ${isolationLevel}`, accessMode ?? '']
    // A message of several statements takes no parameters; `openDatabase` has checked that the id is a UUID.
    const account =
      this.#accountId === undefined ? '' : `; select set_config('app.account_id', '${this.#accountId}', true)`
    this.#isInTransaction = true
    await this.#run(`begin${how.join(' ')}${account}`)
  }

  async commit(): Promise<void> {
    const { command } = await this.#run('commit')
    this.#isInTransaction = false
    // PostgreSQL answers COMMIT of a failed transaction with ROLLBACK.
    if (command !== 'COMMIT') throw new Error('the transaction had failed before COMMIT and was rolled back')
  }

  async rollback(): Promise<void> {
    try {
      await this.#run('rollback')
      this.#isInTransaction = false
    } catch {
      // The connection is closed on release, and PostgreSQL rolls back. The caller needs the original error.
    }
  }

  release(): void {
    this.#pool.release(this.#client, this.#isInTransaction)
  }

  async #executeBatch<R>(batch: readonly CompiledQuery[]): Promise<QueryResult<R>> {
    if (!this.#isInTransaction) throw new Error('a batch can only be executed in a transaction')
    const configs = batch.map(({ sql, parameters }) => {
      const name = statementNameOf(sql)
      return { text: sql, types, values: [...parameters], ...(name === undefined ? {} : { name }) }
    })
    const results = await this.#pool.watch(this.#client, (client) =>
      runQuery<readonly pg.QueryResult[]>(client, new BatchQuery(configs)),
    )
    return { rows: results.map(({ rows }) => rows) as R[] }
  }

  async #copy<R>(text: string, data: Buffer): Promise<QueryResult<R>> {
    if (!this.#isInTransaction) throw new Error('rows can only be copied in a transaction')
    const { rowCount } = await this.#pool.watch(this.#client, (client) =>
      runQuery(client, new CopyQuery(text, data)),
    )
    return { rows: [], numAffectedRows: BigInt(rowCount ?? 0) }
  }

  #run(text: string): Promise<pg.QueryResult> {
    return this.#pool.watch(this.#client, (client) => client.query(text))
  }
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
