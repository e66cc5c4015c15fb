import { sql } from 'kysely'
import type { Db } from '../database/database.ts'
import { DEAD_LETTERS } from './boss.ts'
import type { JobData } from './job-map.ts'

/** A job that will not be tried again until somebody has looked at it. */
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

/** The latest first, of one kind or of all. They are kept for 30 days. */
export async function listDeadLetters(db: Db, most: number, kind?: string): Promise<DeadLetter[]> {
  const { rows } = await sql<Row>`
    select id, source_name as name, source_id as "jobId", data ->> 'accountId' as "accountId",
           data ->> 'requestId' as "requestId", data -> 'data' as data, source_retry_count + 1 as attempts,
           coalesce(source_output ->> 'reason', source_output #>> '{value,message}', '') as reason,
           (extract(epoch from created_on) * 1000)::bigint as "diedMs"
      from pgboss.job
     where name = ${DEAD_LETTERS} and state < 'active'
       and (${kind ?? null}::text is null or source_name = ${kind ?? null})
     order by created_on desc, id
     limit ${most}`.execute(db)
  return rows.map(({ accountId, requestId, ...row }) => ({
    ...row,
    accountId: accountId ?? undefined,
    requestId: requestId ?? undefined,
  }))
}
