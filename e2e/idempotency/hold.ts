import { type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import type { OrderSystem } from './order-system.ts'

/** Keeps every order from being completed: its key is taken and its record is made, but nothing is committed. */
export interface Hold {
  /** Resolves when so many orders have come as far as they can. */
  untilHeld(orders: number): Promise<void>
  /** Resolves when so many copies wait for the key of an order that is held. */
  untilWaiting(copies: number): Promise<void>
  release(): Promise<void>
}

/** Less than the database lets a statement wait for a lock: what comes later was never there. */
const PATIENCE_MS = 3_500

/** Every order ends with an audit entry, which waits while somebody insists that there be no more of them. */
export async function holdOrders({ system, database }: OrderSystem): Promise<Hold> {
  const holder = new pg.Client({ connectionString: system.databaseOwnerUrl })
  await holder.connect()
  await holder.query('begin; lock table audit_entries in share mode')
  const countWaiting = async (lock: RawBuilder<unknown>) => {
    const { rows } = await sql<{ count: number }>`
      select count(*) from pg_locks where not granted and ${lock}`.execute(database.platform)
    return rows[0]!.count
  }
  const until = async (lock: RawBuilder<unknown>, wanted: number) => {
    const lateMs = performance.now() + PATIENCE_MS
    while ((await countWaiting(lock)) < wanted) {
      if (performance.now() > lateMs) throw new Error(`There are not ${wanted} orders that wait.`)
    }
  }
  return {
    untilHeld: (orders) => until(sql`relation = 'audit_entries'::regclass`, orders),
    // A key that is not committed yet is waited for by waiting for its transaction.
    untilWaiting: (copies) => until(sql`locktype = 'transactionid'`, copies),
    release: () => holder.end(),
  }
}
