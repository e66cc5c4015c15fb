import { sql } from 'kysely'
import type { Database, Db, Transaction } from '../database/database.ts'
import type { DueKind } from './due-kinds.ts'

/** Something that is to be looked at when our clock shows `dueMs`. */
export interface Due<Kind extends string = DueKind> {
  readonly kind: Kind
  readonly subjectId: string
  /** Undefined for the platform itself. */
  readonly accountId: string | undefined
  readonly dueMs: number
}

/** Sets when a subject falls due, in the caller's transaction. It has one time of each kind: the last one set. */
export async function setDue<Kind extends string = DueKind>(
  tx: Transaction,
  { kind, subjectId, accountId, dueMs }: Due<NoInfer<Kind>>,
): Promise<void> {
  await sql`
    insert into due_rows (kind, subject_id, account_id, due_ms)
    values (${kind}, ${subjectId}, ${accountId ?? null}, ${dueMs})
    on conflict (kind, subject_id)
    do update set account_id = excluded.account_id, due_ms = excluded.due_ms, failures = 0`.execute(tx)
}

export async function clearDue<Kind extends string = DueKind>(
  tx: Transaction,
  { kind, subjectId }: Pick<Due<NoInfer<Kind>>, 'kind' | 'subjectId'>,
): Promise<void> {
  await sql`delete from due_rows where kind = ${kind} and subject_id = ${subjectId}`.execute(tx)
}

/** A row as the sweeper finds it. */
export interface DueRow extends Due<string> {
  readonly failures: number
}

/** Makes sure that there is a row; one that is there keeps its time. */
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

/**
 * Takes a row out, if it is still as it was found and nobody else is at it.
 * Rolled back, it is there again; what its handler sets anew stays.
 */
export async function takeDue(tx: Transaction, { kind, subjectId, dueMs }: DueRow): Promise<boolean> {
  const { rows } = await sql`
    with free as (
      select kind, subject_id from due_rows
       where kind = ${kind} and subject_id = ${subjectId} and due_ms = ${dueMs}
         for update skip locked
    )
    delete from due_rows d using free
     where d.kind = free.kind and d.subject_id = free.subject_id
    returning d.kind`.execute(tx)
  return rows.length === 1
}

/** Looks again later; a time that was set meanwhile stands. */
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
