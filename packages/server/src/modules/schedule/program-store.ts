import type { ProgramBasis } from '@continuity/core/rules/plan-input'
import type { ProgramDetails } from '@continuity/core/timeline/span'
import { sql } from 'kysely'
import type { Db, Transaction } from '../../platform/database/database.ts'

/** Which program it is. */
export interface ProgramId {
  readonly accountId: string
  readonly programId: string
}

export interface ProgramRecord extends ProgramId {
  readonly channelId: string
  readonly sourceId: string
  readonly title: string
  readonly description: string
  readonly startMs: number
  readonly endMs: number
  readonly details: ProgramDetails
  readonly origin: OriginType
  readonly originId: string | null
  /** Only of a program that a rule planned. */
  readonly rule?: ProgramRule | null
}

/** Which rule planned a program, and why. */
export interface ProgramRule {
  readonly id: string
  readonly reason: string
  readonly video_id: string
  /** What the planner continues from. */
  readonly basis: ProgramBasis
}

/** A program as it is stored; every change by a caller increments its version. */
export interface StoredProgram extends ProgramRecord {
  readonly version: number
}

/** What a program was made by: an ingest request of a partner, an operator, or a rule. */
export type OriginType = 'REQUEST' | 'OPERATOR' | 'RULE'

export interface Origin {
  readonly type: OriginType
  /** The user or the rule; null for a request, which names its program itself. */
  readonly id: string | null
  /** Why a rule planned it. */
  readonly reason: string | null
}

export interface ItemRecord {
  readonly type: 'VIDEO' | 'INTERSTITIAL' | 'AD_POD'
  readonly declaredMs: number
  readonly title: string
  /** Null for an AD_POD, and for nothing else. */
  readonly videoId: string | null
  readonly assetId: string | null
  /** Where it begins and ends in its video; null or absent for its start and its end. */
  readonly inMs?: number | null
  readonly outMs?: number | null
}

export const insertProgram = (tx: Transaction, program: ProgramRecord, nowMs: number): Promise<void> =>
  insertPrograms(tx, program.accountId, [program], nowMs)

/** Inserts all programs in one statement. */
export async function insertPrograms(
  tx: Transaction,
  accountId: string,
  programs: readonly ProgramRecord[],
  nowMs: number,
): Promise<void> {
  const rows = programs.map((program) => ({
    program_id: program.programId,
    linear_channel_id: program.channelId,
    source_id: program.sourceId,
    title: program.title,
    description: program.description,
    start_ms: program.startMs,
    end_ms: program.endMs,
    details: program.details,
    origin: program.origin,
    origin_id: program.originId,
    rule: program.rule ?? null,
  }))
  await sql`
    insert into programs (account_id, program_id, linear_channel_id, source_id, title, description,
                          start_ms, end_ms, details, origin, origin_id, rule, created_ms)
    select ${accountId}::uuid, program_id, linear_channel_id, source_id, title, description,
           start_ms, end_ms, details, origin, origin_id, nullif(rule, 'null'::jsonb), ${nowMs}
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
           as program(program_id uuid, linear_channel_id uuid, source_id text, title text, description text,
                      start_ms bigint, end_ms bigint, details jsonb, origin text, origin_id uuid, rule jsonb)`.execute(
    tx,
  )
}

/** Updates a program that is ahead; its items are replaced separately. */
export async function updateProgram(tx: Transaction, program: ProgramRecord): Promise<void> {
  await sql`
    update programs
       set title = ${program.title}, description = ${program.description}, start_ms = ${program.startMs},
           end_ms = ${program.endMs}, details = ${JSON.stringify(program.details)}::jsonb,
           origin = ${program.origin}, origin_id = ${program.originId},
           rule = ${printRule(program.rule)}::jsonb, version = version + 1
     where account_id = ${program.accountId} and program_id = ${program.programId} and removed_ms is null`.execute(
    tx,
  )
}

const printRule = (rule: ProgramRule | null | undefined) => (rule == null ? null : JSON.stringify(rule))

/** Updates why programs were planned; the programs stay as they are. */
export async function updateRules(
  tx: Transaction,
  accountId: string,
  rules: readonly { readonly programId: string; readonly rule: ProgramRule }[],
): Promise<void> {
  if (rules.length === 0) return
  await sql`
    update programs p set rule = planned.rule
      from jsonb_to_recordset(${JSON.stringify(rules)}::jsonb) as planned("programId" uuid, rule jsonb)
     where p.account_id = ${accountId} and p.program_id = planned."programId"`.execute(tx)
}

export async function deleteProgramItems(
  tx: Transaction,
  { accountId, programId }: ProgramId,
): Promise<void> {
  await sql`
    delete from program_items where account_id = ${accountId} and program_id = ${programId}`.execute(tx)
}

/** The items of one program, in the order of play. */
export const insertProgramItems = (
  tx: Transaction,
  { accountId, programId }: ProgramId,
  items: readonly ItemRecord[],
): Promise<void> => insertItems(tx, accountId, [{ programId, items }])

/** Inserts the items of all programs in one statement. */
export async function insertItems(
  tx: Transaction,
  accountId: string,
  programs: readonly { readonly programId: string; readonly items: readonly ItemRecord[] }[],
): Promise<void> {
  const rows = programs.flatMap(({ programId, items }) =>
    items.map((item, position) => ({
      program_id: programId,
      place: position,
      type: item.type,
      declared_ms: item.declaredMs,
      title: item.title,
      video_id: item.videoId,
      asset_id: item.assetId,
      in_ms: item.inMs ?? null,
      out_ms: item.outMs ?? null,
    })),
  )
  await sql`
    insert into program_items (account_id, program_id, place, type, declared_ms, title, video_id, asset_id,
                               in_ms, out_ms)
    select ${accountId}::uuid, program_id, place, type, declared_ms, title, video_id, asset_id, in_ms, out_ms
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
           as item(program_id uuid, place integer, type text, declared_ms bigint, title text, video_id uuid,
                   asset_id uuid, in_ms integer, out_ms integer)`.execute(tx)
}

export async function findProgram(
  db: Db,
  { accountId, programId }: ProgramId,
): Promise<StoredProgram | undefined> {
  const { rows } = await sql<StoredProgram>`
    select ${columns} from programs
     where account_id = ${accountId} and program_id = ${programId} and removed_ms is null`.execute(db)
  return rows[0]
}

/** Programs of a channel that overlap a period, in order. */
export const listPrograms = (
  db: Db,
  channel: Pick<ProgramRecord, 'accountId' | 'channelId'>,
  fromMs: number,
  untilMs: number,
): Promise<readonly ProgramRecord[]> => listProgramsBetween(db, channel, fromMs, untilMs, null)

/** The first of them. */
export async function listProgramsBetween(
  db: Db,
  { accountId, channelId }: Pick<ProgramRecord, 'accountId' | 'channelId'>,
  fromMs: number,
  untilMs: number,
  most: number | null,
): Promise<readonly StoredProgram[]> {
  const { rows } = await sql<StoredProgram>`
    select ${columns} from programs
     where account_id = ${accountId} and linear_channel_id = ${channelId} and removed_ms is null
       and end_ms > ${fromMs} and start_ms < ${untilMs}
     order by start_ms limit ${most}`.execute(db)
  return rows
}

/** The latest end of the programs that start before a time; undefined without any. */
export async function findLastEnd(
  db: Db,
  { accountId, channelId }: Pick<ProgramRecord, 'accountId' | 'channelId'>,
  beforeMs: number,
): Promise<number | undefined> {
  // Programs do not overlap, so the last to start is the last to end.
  const { rows } = await sql<{ readonly endMs: number }>`
    select end_ms as "endMs" from programs
     where account_id = ${accountId} and linear_channel_id = ${channelId} and removed_ms is null
       and start_ms < ${beforeMs}
     order by start_ms desc limit 1`.execute(db)
  return rows[0]?.endMs
}

/** Programs that have their time slots, in no order. */
export async function listProgramsById(
  db: Db,
  accountId: string,
  programIds: readonly string[],
): Promise<readonly StoredProgram[]> {
  const { rows } = await sql<StoredProgram>`
    select ${columns} from programs
     where account_id = ${accountId} and program_id = any(${programIds}::uuid[]) and removed_ms is null`.execute(
    db,
  )
  return rows
}

/** The origins of programs, also of those that were removed; an override is not among them. */
export async function listOrigins(
  db: Db,
  accountId: string,
  programIds: readonly string[],
): Promise<ReadonlyMap<string, Origin>> {
  if (programIds.length === 0) return new Map()
  const { rows } = await sql<Origin & { readonly programId: string }>`
    select program_id as "programId", origin as type,
           case origin when 'RULE' then rule ->> 'id' else origin_id::text end as id,
           case origin when 'RULE' then rule ->> 'reason' end as reason
      from programs
     where account_id = ${accountId} and program_id = any(${programIds}::uuid[])`.execute(db)
  return new Map(rows.map(({ programId, ...origin }) => [programId, origin]))
}

const columns = sql`account_id as "accountId", program_id as "programId", linear_channel_id as "channelId",
  source_id as "sourceId", title, description, start_ms as "startMs", end_ms as "endMs", details, origin,
  origin_id as "originId", rule, version`

/** Items of several programs, in the order of play. */
export async function listProgramItems(
  db: Db,
  accountId: string,
  programIds: readonly string[],
): Promise<readonly (ItemRecord & { readonly programId: string })[]> {
  const { rows } = await sql<ItemRecord & { readonly programId: string }>`
    select program_id as "programId", type, declared_ms as "declaredMs", title,
           video_id as "videoId", asset_id as "assetId", in_ms as "inMs", out_ms as "outMs"
      from program_items
     where account_id = ${accountId} and program_id = any(${programIds}::uuid[])
     order by program_id, place`.execute(db)
  return rows
}

/** The video and title under which each of these assets is scheduled, by asset. */
export async function listAiredItems(
  db: Db,
  accountId: string,
  assetIds: readonly string[],
): Promise<ReadonlyMap<string, Pick<ItemRecord, 'videoId' | 'title'>>> {
  if (assetIds.length === 0) return new Map()
  const { rows } = await sql<Pick<ItemRecord, 'videoId' | 'title'> & { readonly assetId: string }>`
    select distinct on (asset_id) asset_id as "assetId", video_id as "videoId", title
      from program_items
     where account_id = ${accountId} and asset_id = any(${assetIds}::uuid[])
     order by asset_id, program_id desc`.execute(db)
  return new Map(rows.map(({ assetId, ...item }) => [assetId, item]))
}

/** Whether an asset is in a program that has its time slot and has not ended. */
export async function isAssetScheduled(
  db: Db,
  accountId: string,
  assetId: string,
  nowMs: number,
): Promise<boolean> {
  const { rows } = await sql`
    select from program_items i join programs p on p.account_id = i.account_id and p.program_id = i.program_id
     where i.account_id = ${accountId} and i.asset_id = ${assetId} and p.removed_ms is null and p.end_ms > ${nowMs}
     limit 1`.execute(db)
  return rows.length > 0
}

/** Shows another package of the same file in all programs that have not ended. Returns those programs. */
export async function replaceAssets(
  tx: Transaction,
  accountId: string,
  formerIds: readonly string[],
  assetId: string,
  nowMs: number,
): Promise<readonly Pick<ProgramRecord, 'programId' | 'channelId'>[]> {
  if (formerIds.length === 0) return []
  const { rows } = await sql<Pick<ProgramRecord, 'programId' | 'channelId'>>`
    with replaced as (
      update program_items i set asset_id = ${assetId}
        from programs p
       where i.account_id = ${accountId} and i.asset_id = any(${formerIds}::uuid[])
         and p.account_id = i.account_id and p.program_id = i.program_id
         and p.removed_ms is null and p.end_ms > ${nowMs}
      returning p.program_id, p.linear_channel_id)
    select distinct program_id as "programId", linear_channel_id as "channelId" from replaced
     order by "channelId", "programId"`.execute(tx)
  return rows
}

/** Programs of operators and rules that show an asset and have not ended. */
export async function listProgramsOfAsset(
  db: Db,
  accountId: string,
  assetId: string,
  nowMs: number,
): Promise<readonly Pick<ProgramRecord, 'programId' | 'channelId'>[]> {
  const { rows } = await sql<Pick<ProgramRecord, 'programId' | 'channelId'>>`
    select distinct p.program_id as "programId", p.linear_channel_id as "channelId"
      from program_items i join programs p on p.account_id = i.account_id and p.program_id = i.program_id
     where i.account_id = ${accountId} and i.asset_id = ${assetId} and p.removed_ms is null and p.end_ms > ${nowMs}
       and p.origin <> 'REQUEST'`.execute(db)
  return rows
}

/** Removes programs from their time slots. */
export async function markRemoved(
  tx: Transaction,
  accountId: string,
  programIds: readonly string[],
  nowMs: number,
): Promise<void> {
  await sql`
    update programs set removed_ms = ${nowMs}
     where account_id = ${accountId} and program_id = any(${programIds}::uuid[]) and removed_ms is null`.execute(
    tx,
  )
}

/** Where an operator cancelled what a rule had planned: rules leave that time alone. */
export async function listCancelledWindows(
  db: Db,
  { accountId, channelId }: Pick<ProgramRecord, 'accountId' | 'channelId'>,
  fromMs: number,
): Promise<readonly Pick<ProgramRecord, 'startMs' | 'endMs'>[]> {
  const { rows } = await sql<Pick<ProgramRecord, 'startMs' | 'endMs'>>`
    select start_ms as "startMs", end_ms as "endMs" from programs
     where account_id = ${accountId} and linear_channel_id = ${channelId} and removed_ms is not null
       and origin = 'OPERATOR' and rule is not null and end_ms > ${fromMs}
     order by start_ms`.execute(db)
  return rows
}

/** When the last program of a channel ends; undefined where none is to come. */
export async function findScheduleEnd(
  db: Db,
  { accountId, channelId }: Pick<ProgramRecord, 'accountId' | 'channelId'>,
  nowMs: number,
): Promise<number | undefined> {
  const { rows } = await sql<{ readonly endMs: number }>`
    select end_ms as "endMs" from programs
     where account_id = ${accountId} and linear_channel_id = ${channelId} and removed_ms is null
       and end_ms > ${nowMs}
     order by end_ms desc limit 1`.execute(db)
  return rows[0]?.endMs
}

/** Programs that show a video, have not ended at a time and begin before another. */
export async function listProgramsShowing(
  db: Db,
  accountId: string,
  videoId: string,
  nowMs: number,
  beforeMs: number,
): Promise<readonly Pick<ProgramRecord, 'accountId' | 'channelId' | 'startMs'>[]> {
  const { rows } = await sql<Pick<ProgramRecord, 'accountId' | 'channelId' | 'startMs'>>`
    select account_id as "accountId", linear_channel_id as "channelId", start_ms as "startMs"
      from programs p
     where account_id = ${accountId} and removed_ms is null and end_ms > ${nowMs} and start_ms < ${beforeMs}
       and exists (select from program_items i
                    where i.account_id = p.account_id and i.program_id = p.program_id and i.video_id = ${videoId})
     order by linear_channel_id, start_ms`.execute(db)
  return rows
}
