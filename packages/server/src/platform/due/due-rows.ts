import { type RawBuilder, sql } from 'kysely'
import type { Database, Db, Transaction } from '../database/database.ts'
import type { DueKind } from './due-kinds.ts'

/** A subject to be handled when our clock reaches `dueMs`. */
export interface Due<Kind extends string = DueKind> {
  readonly kind: Kind
  readonly subjectId: string
  /** Undefined for the platform itself. */
  readonly accountId: string | undefined
  readonly dueMs: number
}

/** Sets when a subject is due, in the caller's transaction. It has one time per kind: the last one set. */
export async function setDue<Kind extends string = DueKind>(
  tx: Transaction,
  due: Due<NoInfer<Kind>>,
): Promise<void> {
  await dueRow<Kind>(due).execute(tx)
}

/** As a statement, to be combined with others. */
export const dueRow = <Kind extends string = DueKind>({
  kind,
  subjectId,
  accountId,
  dueMs,
}: Due<NoInfer<Kind>>) => sql`
    insert into due_rows (kind, subject_id, account_id, due_ms)
    values (${kind}, ${subjectId}, ${accountId ?? null}, ${dueMs})
    on conflict (kind, subject_id)
    do update set account_id = excluded.account_id, due_ms = excluded.due_ms, failures = 0`

export async function clearDue<Kind extends string = DueKind>(
  tx: Transaction,
  { kind, subjectId }: Pick<Due<NoInfer<Kind>>, 'kind' | 'subjectId'>,
): Promise<void> {
  await sql`delete from due_rows where kind = ${kind} and subject_id = ${subjectId}`.execute(tx)
}

/** Makes rows of one kind due at `dueMs` if that is earlier: those of some subjects, or all. */
export async function advanceDue<Kind extends string = DueKind>(
  db: Db,
  kind: NoInfer<Kind>,
  subjectIds: readonly string[] | 'all',
  dueMs: number,
): Promise<void> {
  const those = subjectIds === 'all' ? sql`true` : sql`subject_id = any(${subjectIds})`
  await sql`
    update due_rows set due_ms = ${dueMs}, failures = 0
     where kind = ${kind} and due_ms > ${dueMs} and ${those}`.execute(db)
}

/** Sets when subjects are due, unless they are due earlier. A row is always written, so that its version changes. */
export async function setDueBy<Kind extends string = DueKind>(
  db: Db,
  kind: NoInfer<Kind>,
  subjects: readonly Omit<Due, 'kind'>[],
): Promise<void> {
  await sql`
    insert into due_rows (kind, subject_id, account_id, due_ms)
    select distinct on (id) ${kind}, id, account, due
      from unnest(${subjects.map(({ subjectId }) => subjectId)}::text[],
                  ${subjects.map(({ accountId }) => accountId ?? null)}::uuid[],
                  ${subjects.map(({ dueMs }) => dueMs)}::bigint[]) as t (id, account, due)
    on conflict (kind, subject_id)
    do update set due_ms = least(due_rows.due_ms, excluded.due_ms), failures = 0`.execute(db)
}

export async function readDueVersion<Kind extends string = DueKind>(
  db: Db,
  { kind, subjectId }: Pick<Due<NoInfer<Kind>>, 'kind' | 'subjectId'>,
): Promise<string | undefined> {
  const { rows } = await sql<{ readonly version: string | null }>`
    select ${versionOf<Kind>(kind, sql`${subjectId}`)} as version`.execute(db)
  return rows[0]?.version ?? undefined
}

/** Sets the time of a row that still has this version, and returns its new version. */
export async function setUnchanged<Kind extends string = DueKind>(
  db: Db,
  { kind, subjectId, dueMs }: Omit<Due<NoInfer<Kind>>, 'accountId'>,
  version: string | undefined,
): Promise<string | undefined> {
  const { rows } = await sql<{ readonly version: string }>`
    update due_rows set due_ms = ${dueMs}
     where kind = ${kind} and subject_id = ${subjectId} and xmin::text = ${version ?? null}
    returning xmin::text as version`.execute(db)
  return rows[0]?.version
}

/** A row as the sweeper finds it. */
export interface DueRow extends Due<string> {
  readonly failures: number
}

/** Inserts a row unless there is one, which keeps its time. */
export async function ensureDue(db: Db, { kind, subjectId, accountId, dueMs }: Due<string>): Promise<void> {
  await sql`
    insert into due_rows (kind, subject_id, account_id, due_ms)
    values (${kind}, ${subjectId}, ${accountId ?? null}, ${dueMs})
    on conflict do nothing`.execute(db)
}

export async function findDue(
  db: Db,
  kinds: readonly string[],
  nowMs: number,
  most: number,
): Promise<DueRow[]> {
  const { rows } = await sql<Omit<DueRow, 'accountId'> & { accountId: string | null }>`
    select kind, subject_id as "subjectId", account_id as "accountId", due_ms as "dueMs", failures
      from due_rows
     where due_ms <= ${nowMs} and kind = any(${kinds})
     order by due_ms
     limit ${most}`.execute(db)
  return rows.map((row) => ({ ...row, accountId: row.accountId ?? undefined }))
}

/** Rows of one kind, due or not, the earliest first. */
export async function listDueOf<Kind extends string = DueKind>(
  db: Db,
  kind: NoInfer<Kind>,
  most: number,
): Promise<readonly Pick<Due<string>, 'subjectId' | 'accountId'>[]> {
  const { rows } = await sql<{ readonly subjectId: string; readonly accountId: string | null }>`
    select subject_id as "subjectId", account_id as "accountId" from due_rows
     where kind = ${kind} order by due_ms limit ${most}`.execute(db)
  return rows.map(({ subjectId, accountId }) => ({ subjectId, accountId: accountId ?? undefined }))
}

/**
 * Locks a row until the end of the transaction, if it is unchanged and no other sweeper has it, and returns its version
 * (xmin). The row itself is not locked: a transaction that sets it again would wait while it may hold locks that the
 * handler needs.
 */
export async function lockDue(
  tx: Transaction,
  { kind, subjectId, dueMs }: DueRow,
): Promise<string | undefined> {
  const { rows } = await sql<{ readonly isLocked: boolean }>`
    select pg_try_advisory_xact_lock(hashtext(${kind}), hashtext(${subjectId})) as "isLocked"`.execute(tx)
  if (!rows[0]!.isLocked) return undefined
  const found = await sql<{ readonly version: string }>`
    select xmin::text as version from due_rows
     where kind = ${kind} and subject_id = ${subjectId} and due_ms = ${dueMs}`.execute(tx)
  return found.rows[0]?.version
}

/** Deletes the handled row. A time written meanwhile, by its handler or by another transaction, is kept. */
export async function endDue(tx: Transaction, { kind, subjectId }: DueRow, version: string): Promise<void> {
  await sql`
    delete from due_rows
     where kind = ${kind} and subject_id = ${subjectId} and xmin::text = ${version}`.execute(tx)
}

/** SQL for the version of a row, null where there is none; part of a larger statement. */
export const versionOf = <Kind extends string = DueKind>(
  kind: NoInfer<Kind>,
  subjectId: RawBuilder<unknown>,
) => sql<string | null>`(
    select xmin::text from due_rows where kind = ${kind} and subject_id = ${subjectId})`

/** SQL that deletes rows which are unchanged since they were read and not locked; part of a larger statement. */
export const deleteUnchanged = <Kind extends string = DueKind>(
  kind: NoInfer<Kind>,
  subjectIds: readonly string[],
  versions: readonly (string | null)[],
) => sql`
    delete from due_rows
     where kind = ${kind} and subject_id in (
       select d.subject_id from due_rows d, unnest(${subjectIds}::text[], ${versions}::text[]) as w (id, version)
        where d.kind = ${kind} and d.subject_id = w.id and d.xmin::text = w.version
          for update of d skip locked)
    returning subject_id`

/** Postpones a row after a failure; a time that was set meanwhile is kept. */
export async function postponeDue(
  db: Db,
  { kind, subjectId, dueMs }: DueRow,
  untilMs: number,
): Promise<void> {
  await sql`
    update due_rows set due_ms = ${untilMs}, failures = failures + 1
     where kind = ${kind} and subject_id = ${subjectId} and due_ms = ${dueMs}`.execute(db)
}

export function dbOf(database: Database, accountId: string | undefined): Db {
  return accountId === undefined ? database.platform : database.forAccount(accountId)
}
