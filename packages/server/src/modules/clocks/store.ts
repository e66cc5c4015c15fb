import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'

/** A wrong clock, identified by the code and the subject of its alert. */
export interface ClockFaultId {
  readonly code: string
  readonly subjectId: string
}

export interface ReportedFault {
  /** There was no report of it before, so no alert is open. */
  readonly isNew: boolean
  /** The accounts that have a channel that is not OFFLINE, and those that had one at an earlier report. */
  readonly accountIds: readonly string[]
}

/** Reports a fault, with the accounts in which an alert is open or will be. */
export async function upsertFault(
  platform: Db,
  { code, subjectId }: ClockFaultId,
  most: number,
): Promise<ReportedFault> {
  const { rows } = await sql<ReportedFault>`
    insert into clock_faults as fault (code, subject_id, account_ids, reported_at)
    values (${code}, ${subjectId}, array(select account_id from list_accounts_on_air(${most})), clock_timestamp())
    on conflict (code, subject_id) do update set
      account_ids = array(select unnest(fault.account_ids) union select unnest(excluded.account_ids) limit ${most}),
      reported_at = excluded.reported_at
    returning xmax = 0 as "isNew", account_ids as "accountIds"`.execute(platform)
  return rows[0]!
}

export interface EndedFault extends ClockFaultId {
  readonly accountIds: readonly string[]
  /** By PostgreSQL's clock. */
  readonly reportedAt: string
}

/**
 * Claims a fault that is no longer reported, for the caller to close: no other process claims it while it is renewed.
 * Undefined if there is none. A report from the future also counts as ended, since PostgreSQL's clock may have been set back.
 */
export async function claimEndedFault(platform: Db, keptMs: number): Promise<EndedFault | undefined> {
  const { rows } = await sql<EndedFault>`
    update clock_faults set reported_at = clock_timestamp()
     where (code, subject_id) in (
       select code, subject_id from clock_faults
        where abs(extract(epoch from clock_timestamp() - reported_at)) * 1000 > ${keptMs}
        order by code, subject_id limit 1 for update skip locked)
    returning code, subject_id as "subjectId", account_ids as "accountIds",
              reported_at::text as "reportedAt"`.execute(platform)
  return rows[0]
}

/** Keeps a report from expiring while its alerts are being written. */
export async function renewFault(
  platform: Db,
  { code, subjectId }: ClockFaultId,
): Promise<string | undefined> {
  const { rows } = await sql<{ readonly reportedAt: string }>`
    update clock_faults set reported_at = clock_timestamp()
     where code = ${code} and subject_id = ${subjectId}
    returning reported_at::text as "reportedAt"`.execute(platform)
  return rows[0]?.reportedAt
}

/** Deletes a fault, unless it was reported again since. */
export async function deleteFault(
  platform: Db,
  { code, subjectId }: ClockFaultId,
  reportedAt: string,
): Promise<void> {
  await sql`
    delete from clock_faults
     where code = ${code} and subject_id = ${subjectId} and reported_at = ${reportedAt}::timestamptz`.execute(
    platform,
  )
}
