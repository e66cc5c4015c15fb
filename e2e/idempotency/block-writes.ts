import { type RawBuilder, sql } from 'kysely'
import pg from 'pg'
import type { IdempotencySystem } from './idempotency-system.ts'

/** Keeps every write from completing: its key and its record are inserted, but nothing is committed. */
export interface WriteBlock {
  /** Resolves when so many writes are blocked. */
  untilBlocked(writes: number): Promise<void>
  /** Resolves when so many copies wait for the key of a blocked write. */
  untilWaiting(copies: number): Promise<void>
  release(): Promise<void>
}

/** Less than the lock timeout of a statement. */
const PATIENCE_MS = 3_500

/** Every write ends with an audit entry, which waits for this lock on the table. */
export async function blockWrites({ system, database }: IdempotencySystem): Promise<WriteBlock> {
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
      if (performance.now() > lateMs) throw new Error(`Fewer than ${wanted} writes are waiting.`)
    }
  }
  return {
    untilBlocked: (writes) => until(sql`relation = 'audit_entries'::regclass`, writes),
    // A copy waits for the transaction that inserted the key.
    untilWaiting: (copies) => until(sql`locktype = 'transactionid'`, copies),
    release: () => holder.end(),
  }
}
