import { Kysely, type Transaction as KyselyTransaction } from 'kysely'
import { accountDialect } from './account-dialect.ts'
import { ConnectionPool, type PoolOptions } from './connection-pool.ts'

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
    close: () => pool.close(),
  }
}

/** It is written into statements, so nothing else may ever be one. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Gives a store the types of its own tables: `const on = tables<{ brands: BrandRow }>()`, then `on(db).selectFrom('brands')`. */
export function tables<T>(): (db: Db) => Kysely<T> {
  return (db) => db as unknown as Kysely<T>
}
