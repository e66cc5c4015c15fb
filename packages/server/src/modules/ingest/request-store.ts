import { sql } from 'kysely'
import { type Db, type Transaction, tables } from '../../platform/database/database.ts'
import type { Reason } from '../assets/index.ts'

export type RequestState = 'QUEUED' | 'PROCESSING' | 'SCHEDULED' | 'FAILED' | 'REPLACED' | 'CANCELLED'

/** States of requests that have a time slot. Spelled out, because PostgreSQL matches the partial index by this text. */
export const placed = sql`('QUEUED', 'PROCESSING', 'SCHEDULED')`

export type { Reason }

export interface IngestRequest {
  readonly accountId: string
  readonly requestId: string
  readonly channelId: string
  readonly sourceId: string
  readonly brandId: string | null
  readonly programTitle: string
  readonly programDescription: string
  readonly startMs: number
  readonly endMs: number
  readonly contentHash: Buffer
  readonly state: RequestState
  readonly reason: Reason | null
  readonly warnings: readonly Reason[]
  readonly replacesId: string | null
  readonly programId: string | null
  readonly createdMs: number
  readonly updatedMs: number
}

interface RequestRow {
  account_id: string
  request_id: string
  linear_channel_id: string
  source_id: string
  brand_id: string | null
  program_title: string
  program_description: string
  start_ms: number
  end_ms: number
  content_hash: Buffer
  state: RequestState
  reason_code: string | null
  reason_message: string | null
  warnings: unknown
  replaces_id: string | null
  program_id: string | null
  created_ms: number
  updated_ms: number
}

const on = tables<{ ingest_requests: RequestRow }>()

const columns = [
  'account_id',
  'request_id',
  'linear_channel_id',
  'source_id',
  'brand_id',
  'program_title',
  'program_description',
  'start_ms',
  'end_ms',
  'content_hash',
  'state',
  'reason_code',
  'reason_message',
  'warnings',
  'replaces_id',
  'program_id',
  'created_ms',
  'updated_ms',
] as const satisfies readonly (keyof RequestRow)[]

export async function insertRequest(
  tx: Transaction,
  request: Omit<IngestRequest, 'state' | 'reason' | 'programId' | 'updatedMs'>,
): Promise<void> {
  await on(tx)
    .insertInto('ingest_requests')
    .values({
      account_id: request.accountId,
      request_id: request.requestId,
      linear_channel_id: request.channelId,
      source_id: request.sourceId,
      brand_id: request.brandId,
      program_title: request.programTitle,
      program_description: request.programDescription,
      start_ms: request.startMs,
      end_ms: request.endMs,
      content_hash: request.contentHash,
      state: 'QUEUED',
      reason_code: null,
      reason_message: null,
      warnings: JSON.stringify(request.warnings),
      replaces_id: request.replacesId,
      program_id: null,
      created_ms: request.createdMs,
      updated_ms: request.createdMs,
    })
    .execute()
}

export async function findRequest(
  db: Db,
  accountId: string,
  requestId: string,
): Promise<IngestRequest | undefined> {
  const row = await one(db, accountId, requestId).executeTakeFirst()
  return row && requestOf(row)
}

/** Locks the row: no one else can change its state before the transaction ends. */
export async function lockRequest(
  tx: Transaction,
  accountId: string,
  requestId: string,
): Promise<IngestRequest | undefined> {
  const row = await one(tx, accountId, requestId).forNoKeyUpdate().executeTakeFirst()
  return row && requestOf(row)
}

/** Requests whose time slot overlaps a window. The channel is locked. */
export async function listOverlapping(
  db: Db,
  {
    accountId,
    channelId,
    startMs,
    endMs,
  }: Pick<IngestRequest, 'accountId' | 'channelId' | 'startMs' | 'endMs'>,
): Promise<readonly IngestRequest[]> {
  const rows = await on(db)
    .selectFrom('ingest_requests')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('linear_channel_id', '=', channelId)
    .where(sql<boolean>`state in ${placed}`)
    .where('start_ms', '<', endMs)
    // A window lasts a week at most, so older ones need not be read.
    .where('start_ms', '>', startMs - WINDOW_MAXIMUM_MS)
    .where('end_ms', '>', startMs)
    .orderBy('start_ms')
    .execute()
  return rows.map(requestOf)
}

/** FAILED requests of a channel that overlap a window and whose time is not over. */
export async function listFailedOverlapping(
  tx: Transaction,
  {
    accountId,
    channelId,
    startMs,
    endMs,
  }: Pick<IngestRequest, 'accountId' | 'channelId' | 'startMs' | 'endMs'>,
  nowMs: number,
): Promise<readonly string[]> {
  const rows = await on(tx)
    .selectFrom('ingest_requests')
    .select('request_id')
    .where('account_id', '=', accountId)
    .where('linear_channel_id', '=', channelId)
    .where('state', '=', 'FAILED')
    .where('start_ms', '<', endMs)
    .where('start_ms', '>', startMs - WINDOW_MAXIMUM_MS)
    .where('end_ms', '>', Math.max(startMs, nowMs))
    .execute()
  return rows.map((row) => row.request_id)
}

/** A program that was placed and then failed. */
export interface FailedProgram {
  readonly programId: string
  readonly title: string
  readonly description: string
  readonly startMs: number
  readonly endMs: number
  readonly reason: Reason
}

/** Programs of FAILED requests in a stretch of time, in order; the first `most`. */
export async function listFailedPrograms(
  db: Db,
  { accountId, channelId }: Pick<IngestRequest, 'accountId' | 'channelId'>,
  fromMs: number,
  untilMs: number,
  most: number,
): Promise<readonly FailedProgram[]> {
  const rows = await on(db)
    .selectFrom('ingest_requests')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('linear_channel_id', '=', channelId)
    .where('state', '=', 'FAILED')
    .where('program_id', 'is not', null)
    .where('start_ms', '<', untilMs)
    .where('start_ms', '>', fromMs - WINDOW_MAXIMUM_MS)
    .where('end_ms', '>', fromMs)
    .orderBy('start_ms')
    .orderBy('program_id')
    .limit(most)
    .execute()
  return rows.map(requestOf).map((it) => ({
    programId: it.programId!,
    title: it.programTitle,
    description: it.programDescription,
    startMs: it.startMs,
    endMs: it.endMs,
    reason: it.reason ?? { code: 'request.failed', message: '' },
  }))
}

/** The requests that programs were made of, by program. */
export async function listRequestsOfPrograms(
  db: Db,
  accountId: string,
  programIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (programIds.length === 0) return new Map()
  const rows = await on(db)
    .selectFrom('ingest_requests')
    .select(['program_id', 'request_id'])
    .where('account_id', '=', accountId)
    .where('program_id', 'in', programIds)
    .execute()
  return new Map(rows.map((row) => [row.program_id!, row.request_id]))
}

/** The maximum of `schedule.duration_ms` in the contract. */
const WINDOW_MAXIMUM_MS = 604_800_000

export async function setRequestState(
  tx: Transaction,
  request: Pick<IngestRequest, 'accountId' | 'requestId'>,
  state: RequestState,
  reason: Reason | null,
  nowMs: number,
): Promise<void> {
  await ofRequest(tx, request)
    .set({
      state,
      reason_code: reason?.code ?? null,
      reason_message: reason?.message ?? null,
      updated_ms: nowMs,
    })
    .execute()
}

/** Stores which program was made of a request. */
export async function setRequestProgram(
  tx: Transaction,
  request: Pick<IngestRequest, 'accountId' | 'requestId'>,
  programId: string,
  nowMs: number,
): Promise<void> {
  await ofRequest(tx, request).set({ program_id: programId, updated_ms: nowMs }).execute()
}

export async function setRequestWarnings(
  tx: Transaction,
  request: Pick<IngestRequest, 'accountId' | 'requestId'>,
  warnings: readonly Reason[],
): Promise<void> {
  await ofRequest(tx, request)
    .set({ warnings: JSON.stringify(warnings) })
    .execute()
}

const ofRequest = (
  tx: Transaction,
  { accountId, requestId }: Pick<IngestRequest, 'accountId' | 'requestId'>,
) =>
  on(tx)
    .updateTable('ingest_requests')
    .where('account_id', '=', accountId)
    .where('request_id', '=', requestId)

const one = (db: Db, accountId: string, requestId: string) =>
  on(db)
    .selectFrom('ingest_requests')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('request_id', '=', requestId)

const requestOf = (row: RequestRow): IngestRequest => ({
  accountId: row.account_id,
  requestId: row.request_id,
  channelId: row.linear_channel_id,
  sourceId: row.source_id,
  brandId: row.brand_id,
  programTitle: row.program_title,
  programDescription: row.program_description,
  startMs: row.start_ms,
  endMs: row.end_ms,
  contentHash: row.content_hash,
  state: row.state,
  reason: row.reason_code === null ? null : { code: row.reason_code, message: row.reason_message ?? '' },
  warnings: row.warnings as Reason[],
  replacesId: row.replaces_id,
  programId: row.program_id,
  createdMs: row.created_ms,
  updatedMs: row.updated_ms,
})
