import type { ChannelFields } from '@continuity/core/channels/channel-fields'
import type { ChannelSort, ChannelSortField } from '@continuity/core/channels/channel-sort'
import {
  type ChannelStatus,
  firstStatus,
  type OverrideStatus,
  overrideStatusAt,
  statusAt,
  statusesWithOverride,
} from '@continuity/core/channels/channel-status'
import { foldText } from '@continuity/core/text/fold-text'
import { type RawBuilder, sql } from 'kysely'
import { type Db, type Transaction, tables } from '../../platform/database/database.ts'

export interface Channel extends ChannelFields {
  readonly accountId: string
  readonly channelId: string
  readonly status: ChannelStatus
  /** As shown, which also depends on the status. */
  readonly overrideStatus: OverrideStatus
  /** When a PENDING_OFFLINE channel goes off air. */
  readonly offAirMs: number | null
  /** The live source shown instead of the schedule. */
  readonly overrideSourceId: string | null
  /** When a channel that ended its override is back on its schedule. */
  readonly scheduledMs: number | null
  readonly version: number
  readonly createdMs: number
  readonly updatedMs: number
}

interface ChannelRow {
  account_id: string
  linear_channel_id: string
  title: string
  title_folded: string
  description: string
  internal_title: string
  status: ChannelStatus
  override_status: OverrideStatus
  off_air_ms: number | null
  override_source_id: string | null
  scheduled_ms: number | null
  rescue_slate_video_id: string | null
  time_fill_video_id: string | null
  ad_slate_video_id: string | null
  filler_playlist_id: string | null
  filler_title: string | null
  version: number
  created_ms: number
  updated_ms: number
  deleted_ms: number | null
}

const on = tables<{ linear_channels: ChannelRow }>()

const shownOverrideStatus: RawBuilder<OverrideStatus> = sql`
  case when status = any(${[...statusesWithOverride]}) then override_status else 'NOT_STARTED' end`

/** The same rule as `overrideStatusAt`. */
const shownOverrideStatusAt = (nowMs: number): RawBuilder<OverrideStatus> => sql`
  case when override_status = 'NOT_STARTED' and scheduled_ms <= ${nowMs} and status = any(${[...statusesWithOverride]})
       then 'SCHEDULED' else ${shownOverrideStatus} end`

/** The same rule as `statusAt`. */
const shownStatus = (nowMs: number): RawBuilder<ChannelStatus> => sql`
  case when status = 'PENDING_OFFLINE' and off_air_ms <= ${nowMs} then 'OFFLINE' else status end`

const columns = [
  'account_id as accountId',
  'linear_channel_id as channelId',
  'title',
  'description',
  'internal_title as internalTitle',
  'status',
  shownOverrideStatus.as('overrideStatus'),
  'off_air_ms as offAirMs',
  'override_source_id as overrideSourceId',
  'scheduled_ms as scheduledMs',
  'rescue_slate_video_id as rescueSlateVideoId',
  'time_fill_video_id as timeFillVideoId',
  'ad_slate_video_id as adSlateVideoId',
  'filler_playlist_id as fillerPlaylistId',
  'filler_title as fillerTitle',
  'version',
  'created_ms as createdMs',
  'updated_ms as updatedMs',
] as const

export interface ChannelFilter {
  readonly status: ChannelStatus | 'ALL'
  /** Part of the title, ignoring case and accents. */
  readonly name: string
  readonly sort: ChannelSort
  /** The time at which statuses are evaluated. */
  readonly nowMs: number
}

const sortColumns = {
  updatedMs: 'updated_ms',
  createdMs: 'created_ms',
  foldedTitle: 'title_folded',
  channelId: 'linear_channel_id',
} as const satisfies Record<ChannelSortField, keyof ChannelRow>

/**
 * Every channel that matches the filter, each as the JSON of the API. PostgreSQL
 * serializes it: doing that here for ten thousand rows blocks the event loop two
 * to three times as long.
 */
export async function listChannelsAsJson(
  db: Db,
  accountId: string,
  { status, name, sort, nowMs }: ChannelFilter,
): Promise<readonly string[]> {
  const folded = foldText(name)
  const statusNow = shownStatus(nowMs)
  const shown = on(db)
    .selectFrom('linear_channels')
    .select([
      'title',
      'description',
      'internal_title',
      statusNow.as('status'),
      'linear_channel_id',
      shownOverrideStatusAt(nowMs).as('linear_channel_override_status'),
    ])
    .where('account_id', '=', accountId)
    .where('deleted_ms', 'is', null)
    .$if(status !== 'ALL', (query) => query.where(statusNow, '=', status as ChannelStatus))
    // Not LIKE: wildcards in the search text are literal.
    .$if(folded !== '', (query) => query.where(sql<boolean>`strpos(title_folded, ${folded}) > 0`))
    .orderBy(sortColumns[sort.by], sort.order)
    .orderBy('linear_channel_id', sort.order)
  const { rows } = await sql<{ json: string }>`
    select row_to_json(shown)::text as json from (${shown}) shown`.execute(db)
  return rows.map(({ json }) => json)
}

export async function findChannel(
  db: Db,
  accountId: string,
  channelId: string,
): Promise<Channel | undefined> {
  return present(db, accountId, channelId).executeTakeFirst()
}

/** A channel as shown at a time: some statuses end by themselves. */
export const channelAt = (channel: Channel, nowMs: number): Channel => ({
  ...channel,
  status: statusAt(channel.status, channel.offAirMs, nowMs),
  overrideStatus: overrideStatusAt(channel.overrideStatus, channel.scheduledMs, nowMs),
})

/** Locks the channel, its outputs included, until the transaction ends. */
export async function lockChannel(
  tx: Transaction,
  accountId: string,
  channelId: string,
): Promise<Channel | undefined> {
  return selectChannelLocked(tx, accountId, channelId).executeTakeFirst()
}

/** For a transaction that reads more in one round trip. */
export const selectChannelLocked = (tx: Transaction, accountId: string, channelId: string) =>
  present(tx, accountId, channelId).forNoKeyUpdate()

const present = (db: Db, accountId: string, channelId: string) =>
  on(db)
    .selectFrom('linear_channels')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('linear_channel_id', '=', channelId)
    .where('deleted_ms', 'is', null)

/** Locks the creation of channels for the account until the transaction ends, then counts. */
export async function countChannelsLocked(tx: Transaction, accountId: string): Promise<number> {
  // Rows that do not exist yet cannot be locked, so an advisory lock is used.
  await sql`select pg_advisory_xact_lock(hashtext('linear_channels'), hashtext(${accountId}))`.execute(tx)
  const { count } = await on(tx)
    .selectFrom('linear_channels')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('deleted_ms', 'is', null)
    .executeTakeFirstOrThrow()
  return count
}

/** Whether a channel uses a video as a slate or time fill, or a playlist as a filler. */
export async function isReferenced(
  tx: Transaction,
  accountId: string,
  media: { readonly videoId: string } | { readonly playlistId: string },
): Promise<boolean> {
  const { rows } = await selectIsReferenced(accountId, media).execute(tx)
  return rows[0]?.isReferenced === true
}

/** The channels that use a video as a slate or time fill, sorted by id. */
export async function listReferencing(
  db: Db,
  accountId: string,
  videoId: string,
): Promise<readonly string[]> {
  const rows = await on(db)
    .selectFrom('linear_channels')
    .select('linear_channel_id')
    .where('account_id', '=', accountId)
    .where('deleted_ms', 'is', null)
    .where(({ or, eb }) =>
      or([
        eb('rescue_slate_video_id', '=', videoId),
        eb('time_fill_video_id', '=', videoId),
        eb('ad_slate_video_id', '=', videoId),
      ]),
    )
    .orderBy('linear_channel_id')
    .execute()
  return rows.map((row) => row.linear_channel_id)
}

/** The channels that show a live source. */
export async function listShowing(db: Db, accountId: string, sourceId: string): Promise<readonly string[]> {
  const rows = await on(db)
    .selectFrom('linear_channels')
    .select('linear_channel_id')
    .where('account_id', '=', accountId)
    .where('override_source_id', '=', sourceId)
    .where('deleted_ms', 'is', null)
    .orderBy('linear_channel_id')
    .execute()
  return rows.map((row) => row.linear_channel_id)
}

/** Whether a channel has its own media to fill a gap with. */
export async function hasFill(db: Db, accountId: string, channelId: string): Promise<boolean> {
  const row = await on(db)
    .selectFrom('linear_channels')
    .select(['time_fill_video_id', 'rescue_slate_video_id', 'filler_playlist_id'])
    .where('account_id', '=', accountId)
    .where('linear_channel_id', '=', channelId)
    .executeTakeFirst()
  return row !== undefined && Object.values(row).some((id) => id !== null)
}

/** One `exists` per column, because each has its own index and a single `or` would use none. */
export function selectIsReferenced(
  accountId: string,
  media: { readonly videoId: string } | { readonly playlistId: string },
): RawBuilder<{ readonly isReferenced: boolean }> {
  const columns =
    'videoId' in media
      ? (['rescue_slate_video_id', 'time_fill_video_id', 'ad_slate_video_id'] as const)
      : (['filler_playlist_id'] as const)
  const id = 'videoId' in media ? media.videoId : media.playlistId
  const references = columns.map(
    (column) => sql`
      exists (select from linear_channels
               where account_id = ${accountId} and ${sql.ref(column)} = ${id} and deleted_ms is null)`,
  )
  return sql`select ${sql.join(references, sql` or `)} as "isReferenced"`
}

export async function insertChannel(
  tx: Transaction,
  id: { readonly accountId: string; readonly channelId: string },
  fields: ChannelFields,
  nowMs: number,
): Promise<Channel> {
  return on(tx)
    .insertInto('linear_channels')
    .values({
      account_id: id.accountId,
      linear_channel_id: id.channelId,
      ...columnsOf(fields),
      status: firstStatus.status,
      override_status: firstStatus.overrideStatus,
      off_air_ms: null,
      override_source_id: null,
      scheduled_ms: null,
      version: 1,
      created_ms: nowMs,
      updated_ms: nowMs,
      deleted_ms: null,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** The channel must be locked. */
export async function updateChannel(
  tx: Transaction,
  channel: Channel,
  changes: Partial<ChannelFields>,
  nowMs: number,
): Promise<Channel> {
  return ofLocked(tx, channel)
    .set({ ...columnsOf({ ...channel, ...changes }), version: channel.version + 1, updated_ms: nowMs })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

export interface StatusChange {
  readonly status: ChannelStatus
  readonly offAirMs: number | null
  /** Absent, the override stays as it is. */
  readonly override?: OverrideChange
}

export interface OverrideChange {
  readonly status: OverrideStatus
  readonly sourceId: string | null
  /** When a NOT_STARTED override becomes SCHEDULED. */
  readonly scheduledMs: number | null
}

/** The channel must be locked. */
export async function updateStatus(
  tx: Transaction,
  channel: Channel,
  { status, override, offAirMs }: StatusChange,
  nowMs: number,
): Promise<Channel> {
  return ofLocked(tx, channel)
    .set({
      status,
      ...(override === undefined
        ? {}
        : {
            override_status: override.status,
            override_source_id: override.sourceId,
            scheduled_ms: override.scheduledMs,
          }),
      off_air_ms: offAirMs,
      version: channel.version + 1,
      updated_ms: nowMs,
    })
    .returning(columns)
    .executeTakeFirstOrThrow()
}

/** The channel must be locked. */
export const updateOverride = (tx: Transaction, after: Channel) =>
  ofLocked(tx, after).set({
    override_status: after.overrideStatus,
    override_source_id: after.overrideSourceId,
    scheduled_ms: after.scheduledMs,
    version: after.version,
    updated_ms: after.updatedMs,
  })

/** The channel must be locked. Its row stays, because as-run records refer to it. */
export async function markChannelDeleted(tx: Transaction, channel: Channel, nowMs: number): Promise<void> {
  await ofLocked(tx, channel)
    .set({ deleted_ms: nowMs, version: channel.version + 1, updated_ms: nowMs })
    .execute()
}

const ofLocked = (tx: Transaction, { accountId, channelId }: Channel) =>
  on(tx)
    .updateTable('linear_channels')
    .where('account_id', '=', accountId)
    .where('linear_channel_id', '=', channelId)

const columnsOf = (fields: ChannelFields) => ({
  title: fields.title,
  title_folded: foldText(fields.title),
  description: fields.description,
  internal_title: fields.internalTitle,
  rescue_slate_video_id: fields.rescueSlateVideoId,
  time_fill_video_id: fields.timeFillVideoId,
  ad_slate_video_id: fields.adSlateVideoId,
  filler_playlist_id: fields.fillerPlaylistId,
  filler_title: fields.fillerTitle,
})
