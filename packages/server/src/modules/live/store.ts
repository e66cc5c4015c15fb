import type { LiveSourceFields, SourceImage } from '@continuity/core/live/source-fields'
import {
  type LiveSourceState,
  type LiveSourceStatus,
  receptionOf,
  statesOf,
} from '@continuity/core/live/source-state'
import { type RawBuilder, sql } from 'kysely'
import { type Db, type Transaction, tables } from '../../platform/database/database.ts'

export interface LiveSource extends LiveSourceFields {
  readonly accountId: string
  readonly sourceId: string
  readonly state: LiveSourceState
  /** Since when it is in this state. */
  readonly stateMs: number
  /** Why it is in ERROR. */
  readonly detail: SourceDetail | null
  /** Counts changes that are sent to receivers. */
  readonly generation: number
  readonly version: number
  readonly createdMs: number
  readonly createdUserId: string
  readonly updatedMs: number
  readonly updatedUserId: string
}

export interface SourceDetail {
  readonly code: string
  readonly message: string
  readonly atMs: number
}

interface LiveSourceRow {
  account_id: string
  live_source_id: string
  name: string
  description: string
  type: LiveSourceFields['type']
  input_url: string
  scte_35_source: LiveSourceFields['scte35Source']
  always_keep_receiver_active: boolean
  enable_redundancy: boolean
  redundancy_source: string
  enable_audio_normalization: boolean
  audio_algorithm: LiveSourceFields['audioAlgorithm']
  enable_auto_live_switch_on_signal: boolean
  auto_switch_channel_ids: string[]
  ad_slate_video_id: string | null
  enable_relative_start_for_countdown: boolean
  images: string
  state: LiveSourceState
  state_ms: number
  detail_code: string | null
  detail_message: string | null
  detail_ms: number | null
  generation: number
  version: number
  created_ms: number
  created_user_id: string
  updated_ms: number
  updated_user_id: string
  deleted_ms: number | null
  swept_hour: number | null
}

const on = tables<{ live_sources: LiveSourceRow }>()

const columns = [
  'account_id',
  'live_source_id',
  'name',
  'description',
  'type',
  'input_url',
  'scte_35_source',
  'always_keep_receiver_active',
  'enable_redundancy',
  'redundancy_source',
  'enable_audio_normalization',
  'audio_algorithm',
  'enable_auto_live_switch_on_signal',
  'auto_switch_channel_ids',
  'ad_slate_video_id',
  'enable_relative_start_for_countdown',
  'images',
  'state',
  'state_ms',
  'detail_code',
  'detail_message',
  'detail_ms',
  'generation',
  'version',
  'created_ms',
  'created_user_id',
  'updated_ms',
  'updated_user_id',
] as const satisfies readonly (keyof LiveSourceRow)[]

const toSource = (row: Omit<LiveSourceRow, 'deleted_ms' | 'swept_hour'>): LiveSource => ({
  accountId: row.account_id,
  sourceId: row.live_source_id,
  name: row.name,
  description: row.description,
  type: row.type,
  inputUrl: row.input_url,
  scte35Source: row.scte_35_source,
  alwaysKeepReceiverActive: row.always_keep_receiver_active,
  enableRedundancy: row.enable_redundancy,
  redundancySource: row.redundancy_source,
  enableAudioNormalization: row.enable_audio_normalization,
  audioAlgorithm: row.audio_algorithm,
  enableAutoLiveSwitchOnSignal: row.enable_auto_live_switch_on_signal,
  autoSwitchChannelIds: row.auto_switch_channel_ids,
  adSlateVideoId: row.ad_slate_video_id,
  enableRelativeStartForCountdown: row.enable_relative_start_for_countdown,
  images: JSON.parse(row.images) as readonly SourceImage[],
  state: row.state,
  stateMs: row.state_ms,
  detail:
    row.detail_code === null
      ? null
      : { code: row.detail_code, message: row.detail_message ?? '', atMs: row.detail_ms ?? 0 },
  generation: row.generation,
  version: row.version,
  createdMs: row.created_ms,
  createdUserId: row.created_user_id,
  updatedMs: row.updated_ms,
  updatedUserId: row.updated_user_id,
})

export interface SourceFilter {
  readonly status: LiveSourceStatus | 'ALL'
  readonly type: LiveSourceFields['type'] | 'ALL'
}

export interface SourcePage {
  readonly size: number
  readonly offset: number
}

const matching = (db: Db, accountId: string, { status, type }: SourceFilter) =>
  on(db)
    .selectFrom('live_sources')
    .where('account_id', '=', accountId)
    .where('deleted_ms', 'is', null)
    .$if(status !== 'ALL', (query) => query.where('state', 'in', [...statesOf(status as LiveSourceStatus)]))
    .$if(type !== 'ALL', (query) => query.where('type', '=', type as LiveSourceFields['type']))

/** A page of sources, the newest first. An account has few enough that an offset is cheap. */
export async function listSources(
  db: Db,
  accountId: string,
  filter: SourceFilter,
  { size, offset }: SourcePage,
): Promise<readonly LiveSource[]> {
  const rows = await matching(db, accountId, filter)
    .select(columns)
    .orderBy('live_source_id', 'desc')
    .limit(size)
    .offset(offset)
    .execute()
  return rows.map(toSource)
}

export async function countSources(db: Db, accountId: string, filter: SourceFilter): Promise<number> {
  const { count } = await matching(db, accountId, filter)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

export async function findSource(
  db: Db,
  accountId: string,
  sourceId: string,
): Promise<LiveSource | undefined> {
  const row = await present(db, accountId, sourceId).executeTakeFirst()
  return row && toSource(row)
}

/** Locks the source until the transaction ends. */
export async function lockSource(
  tx: Transaction,
  accountId: string,
  sourceId: string,
): Promise<LiveSource | undefined> {
  const row = await present(tx, accountId, sourceId).forNoKeyUpdate().executeTakeFirst()
  return row && toSource(row)
}

/** A shared lock: others may show the source, but not change it. For a transaction that reads more in one round trip. */
export const selectStateShared = (tx: Transaction, accountId: string, sourceId: string) =>
  on(tx)
    .selectFrom('live_sources')
    .select('state')
    .where('account_id', '=', accountId)
    .where('live_source_id', '=', sourceId)
    .where('deleted_ms', 'is', null)
    .forShare()

/** Locks the source as receivers should see it; a deleted one is returned as IDLE. */
export async function lockSourceForReceivers(
  tx: Transaction,
  accountId: string,
  sourceId: string,
): Promise<LiveSource | undefined> {
  const row = await on(tx)
    .selectFrom('live_sources')
    .select([...columns, 'deleted_ms'])
    .where('account_id', '=', accountId)
    .where('live_source_id', '=', sourceId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (row === undefined) return undefined
  const source = toSource(row)
  return row.deleted_ms === null ? source : { ...source, state: 'IDLE', alwaysKeepReceiverActive: false }
}

const present = (db: Db, accountId: string, sourceId: string) =>
  on(db)
    .selectFrom('live_sources')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('live_source_id', '=', sourceId)
    .where('deleted_ms', 'is', null)

/** Locks the creation of sources for the account until the transaction ends, then counts. */
export async function countSourcesLocked(tx: Transaction, accountId: string): Promise<number> {
  // Rows that do not exist yet cannot be locked, so an advisory lock is used.
  await sql`select pg_advisory_xact_lock(hashtext('live_sources'), hashtext(${accountId}))`.execute(tx)
  return countSources(tx, accountId, { status: 'ALL', type: 'ALL' })
}

export async function insertSource(
  tx: Transaction,
  { accountId, sourceId }: Pick<LiveSource, 'accountId' | 'sourceId'>,
  fields: LiveSourceFields,
  { nowMs, userId }: Writer,
): Promise<LiveSource> {
  const row = await on(tx)
    .insertInto('live_sources')
    .values({
      account_id: accountId,
      live_source_id: sourceId,
      ...columnsOf(fields),
      state: 'IDLE',
      state_ms: nowMs,
      detail_code: null,
      detail_message: null,
      detail_ms: null,
      generation: 1,
      version: 1,
      created_ms: nowMs,
      created_user_id: userId ?? '',
      updated_ms: nowMs,
      updated_user_id: userId ?? '',
      deleted_ms: null,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
  return toSource(row)
}

interface Writer {
  readonly nowMs: number
  readonly userId: string | null
}

/** The source must be locked. Starts a new generation for receivers. */
export async function updateSource(
  tx: Transaction,
  source: LiveSource,
  changes: Partial<LiveSourceFields>,
  writer: Writer,
): Promise<LiveSource> {
  const next = { ...source, ...changes }
  const row = await ofLocked(tx, source)
    .set({ ...columnsOf(next), generation: source.generation + 1, ...written(source, writer) })
    .returning(columns)
    .executeTakeFirstOrThrow()
  return toSource(row)
}

/** The source must be locked. ACTIVATING starts a new generation, so that earlier reports do not validate it. */
export async function updateState(
  tx: Transaction,
  source: LiveSource,
  { state, detail }: { readonly state: LiveSourceState; readonly detail: SourceDetail | null },
  writer: Writer,
): Promise<LiveSource> {
  const isOther =
    state === 'ACTIVATING' ||
    receptionOf(state, source.alwaysKeepReceiverActive) !==
      receptionOf(source.state, source.alwaysKeepReceiverActive)
  const row = await ofLocked(tx, source)
    .set({
      state,
      state_ms: writer.nowMs,
      detail_code: detail?.code ?? null,
      detail_message: detail?.message ?? null,
      detail_ms: detail?.atMs ?? null,
      generation: source.generation + (isOther ? 1 : 0),
      ...written(source, writer),
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
  return toSource(row)
}

/** The source must be locked. Its row stays, because as-run records refer to it. */
export async function markSourceDeleted(tx: Transaction, source: LiveSource, writer: Writer): Promise<void> {
  await ofLocked(tx, source)
    .set({ deleted_ms: writer.nowMs, generation: source.generation + 1, ...written(source, writer) })
    .execute()
}

/** Whether a source shows this video in its ad breaks. */
export async function isAdSlate(db: Db, accountId: string, videoId: string): Promise<boolean> {
  const { rows } = await selectIsAdSlate(accountId, videoId).execute(db)
  return rows[0]?.isAdSlate === true
}

const selectIsAdSlate = (
  accountId: string,
  videoId: string,
): RawBuilder<{ readonly isAdSlate: boolean }> => sql`
  select exists (select from live_sources
                  where account_id = ${accountId} and ad_slate_video_id = ${videoId} and deleted_ms is null) as "isAdSlate"`

const ofLocked = (tx: Transaction, { accountId, sourceId }: LiveSource) =>
  on(tx)
    .updateTable('live_sources')
    .where('account_id', '=', accountId)
    .where('live_source_id', '=', sourceId)

const written = ({ version }: LiveSource, { nowMs, userId }: Writer) => ({
  version: version + 1,
  updated_ms: nowMs,
  updated_user_id: userId ?? '',
})

const columnsOf = (fields: LiveSourceFields) => ({
  name: fields.name,
  description: fields.description,
  type: fields.type,
  input_url: fields.inputUrl,
  scte_35_source: fields.scte35Source,
  always_keep_receiver_active: fields.alwaysKeepReceiverActive,
  enable_redundancy: fields.enableRedundancy,
  redundancy_source: fields.redundancySource,
  enable_audio_normalization: fields.enableAudioNormalization,
  audio_algorithm: fields.audioAlgorithm,
  enable_auto_live_switch_on_signal: fields.enableAutoLiveSwitchOnSignal,
  auto_switch_channel_ids: [...fields.autoSwitchChannelIds],
  ad_slate_video_id: fields.adSlateVideoId,
  enable_relative_start_for_countdown: fields.enableRelativeStartForCountdown,
  images: JSON.stringify(fields.images),
})

/** Locks a source, also a deleted one, and returns what `keepLog` needs. */
export async function lockSweptHour(
  tx: Transaction,
  accountId: string,
  sourceId: string,
): Promise<
  | {
      readonly state: LiveSourceState
      readonly alwaysKeepReceiverActive: boolean
      readonly sweptHour: number | null
      readonly isDeleted: boolean
    }
  | undefined
> {
  return on(tx)
    .selectFrom('live_sources')
    .select([
      'state',
      'always_keep_receiver_active as alwaysKeepReceiverActive',
      'swept_hour as sweptHour',
      sql<boolean>`deleted_ms is not null`.as('isDeleted'),
    ])
    .where('account_id', '=', accountId)
    .where('live_source_id', '=', sourceId)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export async function updateSweptHour(
  tx: Transaction,
  accountId: string,
  sourceId: string,
  sweptHour: number,
): Promise<void> {
  await on(tx)
    .updateTable('live_sources')
    .set({ swept_hour: sweptHour })
    .where('account_id', '=', accountId)
    .where('live_source_id', '=', sourceId)
    .execute()
}
