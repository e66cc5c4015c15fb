import { sql } from 'kysely'
import { type Db, tables } from '../../../platform/database/database.ts'

interface LimitRow {
  key: Buffer
  tried_ms: readonly number[]
  until_ms: number
}

const on = tables<{ login_limits: LimitRow }>()

export interface Limit {
  readonly key: Buffer
  readonly most: number
  readonly windowMs: number
}

export type CountResult =
  | { readonly kind: 'counted' }
  /** The next attempt is allowed from then on. */
  | { readonly kind: 'full'; readonly untilMs: number }

/**
 * Counts an attempt, over all processes, unless the window that ends now is full.
 *
 * A sliding window: with a fixed one, nearly twice as many attempts could pass
 * around its end. Rejected attempts are not written, so that each costs one read.
 */
export async function countTry(platform: Db, limit: Limit, nowMs: number): Promise<CountResult> {
  for (;;) {
    const untilMs = await findFull(platform, limit, nowMs)
    if (untilMs !== undefined) return { kind: 'full', untilMs }
    // Not counted: concurrent attempts filled the window in between.
    if (await addTry(platform, limit, nowMs)) return { kind: 'counted' }
  }
}

async function findFull(platform: Db, limit: Limit, nowMs: number): Promise<number | undefined> {
  const { key, most, windowMs } = limit
  const { rows } = await sql<{ tries: number; oldest_ms: number }>`
    select count(*) as tries, min(t) as oldest_ms from login_limits, unnest(tried_ms) t
     where key = ${key} and t > ${nowMs - windowMs}`.execute(platform)
  const { tries, oldest_ms: oldestMs } = rows[0]!
  return tries < most ? undefined : oldestMs + windowMs
}

async function addTry(platform: Db, { key, most, windowMs }: Limit, nowMs: number): Promise<boolean> {
  const recent = sql`array(select t from unnest(l.tried_ms) t where t > ${nowMs - windowMs})`
  const { numAffectedRows } = await sql`
    insert into login_limits as l (key, tried_ms, until_ms)
    values (${key}, array[${nowMs}::bigint], ${nowMs + windowMs})
    on conflict (key) do update
      set tried_ms = ${recent} || ${nowMs}::bigint, until_ms = excluded.until_ms
      where cardinality(${recent}) < ${most}`.execute(platform)
  return numAffectedRows === 1n
}

/** Removes one attempt of that time, because its login succeeded. */
export async function uncountTry(platform: Db, key: Buffer, atMs: number): Promise<void> {
  const index = sql`array_position(tried_ms, ${atMs}::bigint)`
  await sql`
    update login_limits set tried_ms = tried_ms[:${index} - 1] || tried_ms[${index} + 1:]
     where key = ${key} and ${atMs}::bigint = any (tried_ms)`.execute(platform)
}

export async function purgeTries(platform: Db, nowMs: number, most: number): Promise<number> {
  const { numDeletedRows } = await on(platform)
    .deleteFrom('login_limits')
    .where('key', 'in', ({ selectFrom }) =>
      selectFrom('login_limits').select('key').where('until_ms', '<=', nowMs).limit(most),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
