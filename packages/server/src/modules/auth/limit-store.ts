import { sql } from 'kysely'
import { type Db, tables } from '../../platform/database/database.ts'

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
  /** There is room again from then on. */
  | { readonly kind: 'full'; readonly untilMs: number }

/**
 * Counts a try, over all processes, unless the window that ends now is full.
 *
 * Each try has its own time: a window that began anew all at once would let
 * nearly twice as many pass around its end. One that is refused is not written,
 * so that a flood of them costs a reading each.
 */
export async function countTry(platform: Db, limit: Limit, nowMs: number): Promise<CountResult> {
  for (;;) {
    const untilMs = await findFull(platform, limit, nowMs)
    if (untilMs !== undefined) return { kind: 'full', untilMs }
    // Not counted means that others took the last room in between.
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

/** Takes back one try of that time, which turned out to be a good one. */
export async function uncountTry(platform: Db, key: Buffer, atMs: number): Promise<void> {
  const place = sql`array_position(tried_ms, ${atMs}::bigint)`
  await sql`
    update login_limits set tried_ms = tried_ms[:${place} - 1] || tried_ms[${place} + 1:]
     where key = ${key} and ${atMs}::bigint = any (tried_ms)`.execute(platform)
}

export async function forgetTries(platform: Db, nowMs: number, most: number): Promise<number> {
  const { numDeletedRows } = await on(platform)
    .deleteFrom('login_limits')
    .where('key', 'in', ({ selectFrom }) =>
      selectFrom('login_limits').select('key').where('until_ms', '<=', nowMs).limit(most),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
