import { type CompiledQuery, Kysely, type Transaction as KyselyTransaction, type RawBuilder } from 'kysely'
import { accountDialect, batches, byteQueries, copiedData, postponed } from './account-dialect.ts'
import { ConnectionPool, type PoolOptions } from './connection-pool.ts'
import { openSnapshot, type Snapshot } from './copy-out.ts'
import { isStaleStatement } from './database-errors.ts'

/** No tables are declared here: each store declares its own with `tables`. */
type NoTables = Record<never, never>

/** Access to the database, bound to one account or to none: through the pool or in a transaction. */
export type Db = Kysely<NoTables>

/** The same inside a transaction. Functions that must be atomic take this type. */
export type Transaction = KyselyTransaction<NoTables>

export interface Database {
  /** Every statement runs as that account; row-level security hides the rows of others. */
  forAccount(accountId: string): Db
  /** Without an account: sees the tables of the platform itself, and no rows of accounts. */
  readonly platform: Db
  /** For a result of any size, as that account. */
  openSnapshot(accountId: string): Promise<Snapshot>
  close(): Promise<void>
}

export function openDatabase(url: string, options: PoolOptions): Database {
  const pool = new ConnectionPool(url, options)
  return {
    forAccount: (accountId) => {
      if (!UUID.test(accountId)) throw new Error('the account id is not a UUID')
      return new Kysely<NoTables>({ dialect: accountDialect(pool, accountId) })
    },
    platform: new Kysely<NoTables>({ dialect: accountDialect(pool, undefined) }),
    openSnapshot: (accountId) =>
      openSnapshot({
        url,
        accountId,
        ...(options.patience === undefined ? {} : { patience: options.patience }),
      }),
    close: () => pool.close(),
  }
}

/**
 * Runs a transaction, and once more from its start when a statement in it was stale because the schema has changed.
 * The work must not keep state outside of the transaction, or must reset it at its start. A transaction that is run
 * without this function fails with `database.unavailable` in that case.
 */
export async function runTransaction<T>(db: Db, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const run = () => db.transaction().execute(work)
  return run().catch((error: unknown) => {
    if (!isStaleStatement(error)) throw error
    return run()
  })
}

/**
 * Executes a query whose result is passed on: each character of its texts is one byte that PostgreSQL sent. Not in a
 * transaction.
 */
export async function executeAsBytes<R>(
  db: Db,
  query: RawBuilder<R>,
): Promise<{ readonly rows: readonly R[] }> {
  const compiled = query.compile(db)
  byteQueries.add(compiled)
  return db.executeQuery<R>(compiled)
}

/** Executes a `copy … from stdin` with that data. */
export async function executeCopy(tx: Transaction, query: RawBuilder<unknown>, data: Buffer): Promise<void> {
  const compiled = query.compile(tx)
  copiedData.set(compiled, data)
  await tx.executeQuery(compiled)
}

/** A statement that is not executed yet. */
export interface Statement<Row = unknown> {
  compile(db: Db): CompiledQuery<Row>
}

type RowsOf<S> = S extends Statement<infer Row> ? readonly Row[] : never

/**
 * Executes statements in one round trip, with the same effects and locks as if each were sent alone. Returns the rows of
 * each. With many statements, round trips take most of the time of a transaction.
 */
export async function executeTogether<const S extends readonly Statement[]>(
  tx: Transaction,
  statements: S,
): Promise<{ readonly [At in keyof S]: RowsOf<S[At]> }> {
  const { rows } = await tx.executeQuery(batchOf(tx, statements))
  return rows as { readonly [At in keyof S]: RowsOf<S[At]> }
}

/**
 * Executes statements, whose results are not needed, in one round trip with the next statement of the transaction, or
 * with its COMMIT. When one fails, that statement or the commit is what fails.
 */
export async function postpone(tx: Transaction, statements: readonly Statement[]): Promise<void> {
  const batch = batchOf(tx, statements)
  postponed.add(batch)
  await tx.executeQuery(batch)
}

function batchOf(tx: Transaction, statements: readonly Statement[]): CompiledQuery {
  const batch = statements.map((statement) => statement.compile(tx))
  const first = { ...batch[0]! }
  batches.set(first, batch)
  return first
}

/** Decodes a byte string. */
export const textOfBytes = (bytes: string): string => Buffer.from(bytes, 'latin1').toString()

/** Encodes a text as a byte string. */
export const bytesOfText = (text: string): string => Buffer.from(text).toString('latin1')

/** Checked here, so that a wrong id is an error and not an empty result. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Types the tables of a store: `const on = tables<{ brands: BrandRow }>()`, then `on(db).selectFrom('brands')`. */
export function tables<T>(): (db: Db) => Kysely<T> {
  return (db) => db as unknown as Kysely<T>
}
