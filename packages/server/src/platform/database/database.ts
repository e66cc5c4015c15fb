import { type CompiledQuery, Kysely, type Transaction as KyselyTransaction, type RawBuilder } from 'kysely'
import { accountDialect, batches, byteQueries, copiedData } from './account-dialect.ts'
import { ConnectionPool, type PoolOptions } from './connection-pool.ts'
import { openSnapshot, type Snapshot } from './copy-out.ts'
import { isStaleStatement } from './database-errors.ts'

/** No table has a name here: each store names its own, with `tables`. */
type NoTables = Record<never, never>

/** A way to the database, bound to one account or to none: connections of the pool, or a transaction. */
export type Db = Kysely<NoTables>

/** The same inside a transaction. What must not be torn apart asks for this. */
export type Transaction = KyselyTransaction<NoTables>

export interface Database {
  /** Every statement runs as that account, and PostgreSQL shows it no other's rows. */
  forAccount(accountId: string): Db
  /** No account: sees the tables of the platform itself, and of accounts nothing. */
  readonly platform: Db
  /** For an answer of any size, as that account. */
  openSnapshot(accountId: string): Promise<Snapshot>
  close(): Promise<void>
}

export function openDatabase(url: string, options: PoolOptions): Database {
  const pool = new ConnectionPool(url, options)
  return {
    forAccount: (accountId) => {
      if (!UUID.test(accountId)) throw new Error('an account id is a UUID')
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
 * Runs a transaction, and once more from its beginning when a statement in it was stale because the schema has changed.
 * For work that leaves nothing behind when it is rolled back: what it collects outside of the transaction it begins anew.
 * A transaction that is run without this fails with `database.unavailable` then.
 */
export async function runTransaction<T>(db: Db, work: (tx: Transaction) => Promise<T>): Promise<T> {
  const run = () => db.transaction().execute(work)
  return run().catch((error: unknown) => {
    if (!isStaleStatement(error)) throw error
    return run()
  })
}

/**
 * Carries out a query whose answer is passed on: texts in it are bytes, each
 * character one of what PostgreSQL sent. Not in a transaction.
 */
export async function executeAsBytes<R>(
  db: Db,
  query: RawBuilder<R>,
): Promise<{ readonly rows: readonly R[] }> {
  const compiled = query.compile(db)
  byteQueries.add(compiled)
  return db.executeQuery<R>(compiled)
}

/** Carries out a `copy … from stdin` with that data. */
export async function executeCopy(tx: Transaction, query: RawBuilder<unknown>, data: Buffer): Promise<void> {
  const compiled = query.compile(tx)
  copiedData.set(compiled, data)
  await tx.executeQuery(compiled)
}

/** A statement that is not carried out yet. */
export interface Statement<Row = unknown> {
  compile(db: Db): CompiledQuery<Row>
}

type RowsOf<S> = S extends Statement<infer Row> ? readonly Row[] : never

/**
 * Carries out statements in one round trip, each as if it were sent alone: it sees what those before it did, and waits
 * for their locks. Gives the rows of each. Where there are many, round trips take most of the time of a transaction.
 */
export async function executeTogether<const S extends readonly Statement[]>(
  tx: Transaction,
  statements: S,
): Promise<{ readonly [At in keyof S]: RowsOf<S[At]> }> {
  const batch = statements.map((statement) => statement.compile(tx))
  const first = { ...batch[0]! }
  batches.set(first, batch)
  const { rows } = await tx.executeQuery(first)
  return rows as { readonly [At in keyof S]: RowsOf<S[At]> }
}

/** Bytes in that form as the text that they are. */
export const textOfBytes = (bytes: string): string => Buffer.from(bytes, 'latin1').toString()

/** A text as bytes in that form. */
export const bytesOfText = (text: string): string => Buffer.from(text).toString('latin1')

/** It is written into statements, so nothing else may ever be one. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Gives a store the types of its own tables: `const on = tables<{ brands: BrandRow }>()`, then `on(db).selectFrom('brands')`. */
export function tables<T>(): (db: Db) => Kysely<T> {
  return (db) => db as unknown as Kysely<T>
}
