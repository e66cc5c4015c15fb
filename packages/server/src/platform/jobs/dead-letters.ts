import { sql } from 'kysely'
import type { Db, Transaction } from '../database/database.ts'
import { DEAD_LETTERS } from './boss.ts'
import type { JobData } from './job-map.ts'

/** A job that used up its attempts. */
export interface DeadLetter {
  readonly id: string
  readonly name: string
  readonly jobId: string
  readonly accountId: string | undefined
  readonly requestId: string | undefined
  readonly data: JobData
  readonly attempts: number
  readonly reason: string
  readonly diedMs: number
}

interface Row extends Omit<DeadLetter, 'accountId' | 'requestId'> {
  readonly accountId: string | null
  readonly requestId: string | null
}

const COLUMNS = sql`
  id, source_name as name, source_id as "jobId", data ->> 'accountId' as "accountId",
  data ->> 'requestId' as "requestId", data -> 'data' as data, source_retry_count + 1 as attempts,
  coalesce(source_output ->> 'reason', source_output #>> '{value,message}', '') as reason,
  (extract(epoch from created_on) * 1000)::bigint as "diedMs"`

/** The unhandled ones, latest first. They are kept for 30 days. */
export async function listDeadLetters(db: Db, most: number): Promise<DeadLetter[]> {
  const { rows } = await sql<Row>`
    select ${COLUMNS} from pgboss.job
     where name = ${DEAD_LETTERS} and state < 'active'
     order by created_on desc, id
     limit ${most}`.execute(db)
  return rows.map(letterOf)
}

/**
 * Completes and returns some unhandled dead letters of these kinds, oldest first. The caller handles them in the same
 * transaction: a rollback makes them unhandled again. They stay readable for a week, like any completed job.
 */
export async function takeDeadLetters(
  tx: Transaction,
  kinds: readonly string[],
  most: number,
): Promise<DeadLetter[]> {
  // Materialized: the planner may run a subquery once per row, and the limit would not apply.
  const { rows } = await sql<Row>`
    with taken as materialized (
      select id as taken_id from pgboss.job
       where name = ${DEAD_LETTERS} and state < 'active' and source_name = any(${kinds})
       order by created_on, id
       limit ${most}
         for update skip locked)
    update pgboss.job set state = 'completed', completed_on = pgboss.job_now()
      from taken
     where name = ${DEAD_LETTERS} and id = taken_id
    returning ${COLUMNS}`.execute(tx)
  return rows.map(letterOf)
}

const letterOf = ({ accountId, requestId, ...row }: Row): DeadLetter => ({
  ...row,
  accountId: accountId ?? undefined,
  requestId: requestId ?? undefined,
})
