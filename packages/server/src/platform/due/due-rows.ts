import { type RawBuilder, sql } from 'kysely'
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
  due: Due<NoInfer<Kind>>,
): Promise<void> {
  await dueRow<Kind>(due).execute(tx)
}

/** For a statement that writes more than it. */
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

/** Rows of one kind that wait fall due at `dueMs` if that is earlier: those of some subjects, or all. */
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

/** Rows of one kind, whether they are due or not, the earliest first. */
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
 * Gives which writing of a row this is, if it is still as it was found and nobody else is at it, which holds until the
 * transaction ends. The row itself is not locked: whoever sets it anew meanwhile would wait, with locks that its handler
 * may wait for.
 */
export async function holdDue(
  tx: Transaction,
  { kind, subjectId, dueMs }: DueRow,
): Promise<string | undefined> {
  const { rows } = await sql<{ readonly isHeld: boolean }>`
    select pg_try_advisory_xact_lock(hashtext(${kind}), hashtext(${subjectId})) as "isHeld"`.execute(tx)
  if (!rows[0]!.isHeld) return undefined
  const found = await sql<{ readonly writing: string }>`
    select xmin::text as writing from due_rows
     where kind = ${kind} and subject_id = ${subjectId} and due_ms = ${dueMs}`.execute(tx)
  return found.rows[0]?.writing
}

/** The row is seen to. What was written meanwhile, by its handler or by anybody else, stands. */
export async function endDue(tx: Transaction, { kind, subjectId }: DueRow, writing: string): Promise<void> {
  await sql`
    delete from due_rows
     where kind = ${kind} and subject_id = ${subjectId} and xmin::text = ${writing}`.execute(tx)
}

/** Which writing of a row this is, where there is one; for a statement that reads more than it. */
export const writingOf = <Kind extends string = DueKind>(
  kind: NoInfer<Kind>,
  subjectId: RawBuilder<unknown>,
) => sql<string | null>`(
    select xmin::text from due_rows where kind = ${kind} and subject_id = ${subjectId})`

/** Ends rows that are still as they were read and that nobody else has locked; for a statement that writes more than it. */
export const endedRows = <Kind extends string = DueKind>(
  kind: NoInfer<Kind>,
  subjectIds: readonly string[],
  writings: readonly (string | null)[],
) => sql`
    delete from due_rows
     where kind = ${kind} and subject_id in (
       select d.subject_id from due_rows d, unnest(${subjectIds}::text[], ${writings}::text[]) as w (id, writing)
        where d.kind = ${kind} and d.subject_id = w.id and d.xmin::text = w.writing
          for update of d skip locked)
    returning subject_id`

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
