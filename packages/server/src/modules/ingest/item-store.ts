import type { ItemState } from '@continuity/core/ingest/request-outcome'
import { sql } from 'kysely'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { unfinished } from '../assets/index.ts'
import { placed, type Reason } from './request-store.ts'

/** The fields of a VIDEO item; unknown ones are in `extra`. */
export interface VideoDocument {
  readonly title: string
  readonly video_url: string
  readonly image_url: string | null
  readonly description: string
  readonly keywords: readonly string[]
  readonly date_published: string | null
  readonly genres: readonly { readonly genre: string; readonly sub_genre: string }[]
  readonly audio_language: string | null
  readonly country_origin: string | null
  readonly content_format: string | null
  readonly content_type: string | null
  readonly cut: string | null
  readonly periodicity: string | null
  readonly parental_rating: string | null
  readonly extra: Readonly<Record<string, unknown>>
}

export type NewItem =
  | { readonly type: 'AD_POD'; readonly duration: number }
  | {
      readonly type: 'VIDEO'
      readonly duration: number
      readonly videoSourceId: string
      readonly document: VideoDocument
    }

/** Inserts all items in one statement, in the order of play. */
export async function insertItems(
  tx: Transaction,
  { accountId, requestId }: ItemOwner,
  items: readonly NewItem[],
): Promise<void> {
  const rows = items.map((item, position) => ({
    place: position,
    type: item.type,
    duration: item.duration,
    video_source_id: item.type === 'VIDEO' ? item.videoSourceId : null,
    document: item.type === 'VIDEO' ? item.document : null,
  }))
  await sql`
    insert into ingest_items (account_id, request_id, place, type, duration, video_source_id, document)
    select ${accountId}::uuid, ${requestId}::uuid, place, type, duration, video_source_id, document
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
           as item(place integer, type text, duration integer, video_source_id text, document jsonb)`.execute(
    tx,
  )
}

interface ItemOwner {
  readonly accountId: string
  readonly requestId: string
}

export interface WaitingItem {
  readonly position: number
  readonly duration: number
  readonly videoSourceId: string
  readonly document: VideoDocument
}

/** Videos that have no asset yet, in the order of play. */
export async function listItemsWithoutAsset(
  db: Db,
  { accountId, requestId }: ItemOwner,
): Promise<readonly WaitingItem[]> {
  const { rows } = await sql<WaitingItem>`
    select place as position, duration, video_source_id as "videoSourceId", document
      from ingest_items
     where account_id = ${accountId} and request_id = ${requestId} and type = 'VIDEO' and asset_id is null
     order by place`.execute(db)
  return rows
}

export async function setItemAsset(
  tx: Transaction,
  { accountId, requestId }: ItemOwner,
  position: number,
  assetId: string,
): Promise<void> {
  await sql`
    update ingest_items set asset_id = ${assetId}
     where account_id = ${accountId} and request_id = ${requestId} and place = ${position}`.execute(tx)
}

/** The status of an item, which is that of its asset. */
export interface ItemStatus {
  readonly type: 'VIDEO' | 'AD_POD'
  readonly videoSourceId: string | null
  readonly videoId: string | null
  readonly state: ItemState
  readonly progress: number
  readonly reason: Reason | null
  readonly updatedMs: number | null
}

/** In the order of play. An ad pod is always READY; unfinished items of a replaced or cancelled request are CANCELLED. */
export async function listItemStatuses(
  db: Db,
  { accountId, requestId }: ItemOwner,
): Promise<readonly ItemStatus[]> {
  const { rows } = await sql<Omit<ItemStatus, 'reason'> & { code: string | null; message: string | null }>`
    select i.type, i.video_source_id as "videoSourceId", a.video_id as "videoId",
           case when i.type = 'AD_POD' then 'READY'
                when r.state in ('REPLACED', 'CANCELLED') and coalesce(a.state, 'QUEUED') not in ('READY', 'FAILED') then 'CANCELLED'
                else coalesce(a.state, 'QUEUED') end as state,
           case when i.type = 'AD_POD' then 1 else coalesce(a.progress, 0) end as progress,
           a.reason_code as code, a.reason_message as message, a.updated_ms as "updatedMs"
      from ingest_items i
      join ingest_requests r on r.account_id = i.account_id and r.request_id = i.request_id
      left join assets a on a.account_id = i.account_id and a.asset_id = i.asset_id
     where i.account_id = ${accountId} and i.request_id = ${requestId}
     order by i.place`.execute(db)
  return rows.map(({ code, message, ...row }) => ({
    ...row,
    reason: code === null ? null : { code, message: message ?? '' },
  }))
}

/** Requests with a time slot that wait for an asset. */
export async function listRequestsOfAsset(
  db: Db,
  accountId: string,
  assetId: string,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct i.request_id as id
      from ingest_items i join ingest_requests r on r.account_id = i.account_id and r.request_id = i.request_id
     where i.account_id = ${accountId} and i.asset_id = ${assetId}
       and r.state in ${placed}
     order by i.request_id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Assets of a request's items that are still being made, in the order in which they are locked. */
export async function listUnfinishedAssets(
  db: Db,
  { accountId, requestId }: ItemOwner,
): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct a.asset_id as id
      from ingest_items i join assets a on a.account_id = i.account_id and a.asset_id = i.asset_id
     where i.account_id = ${accountId} and i.request_id = ${requestId}
       and a.state in ${unfinished}
     order by a.asset_id`.execute(db)
  return rows.map(({ id }) => id)
}

/** Items of an asset in requests with a time slot, or in one request in any state. */
export async function listItemsOfAsset(
  db: Db,
  accountId: string,
  assetId: string,
  requestId: string | undefined,
): Promise<readonly { readonly requestId: string; readonly videoSourceId: string }[]> {
  const which = requestId === undefined ? sql`r.state in ${placed}` : sql`i.request_id = ${requestId}`
  const { rows } = await sql<{ requestId: string; videoSourceId: string }>`
    select distinct i.request_id as "requestId", i.video_source_id as "videoSourceId"
      from ingest_items i join ingest_requests r on r.account_id = i.account_id and r.request_id = i.request_id
     where i.account_id = ${accountId} and i.asset_id = ${assetId} and ${which}
     order by 1, 2`.execute(db)
  return rows
}

/** An item as its program shows it. */
export interface PlayedItem {
  readonly type: 'VIDEO' | 'AD_POD'
  readonly duration: number
  readonly document: VideoDocument | null
  readonly videoId: string | null
  readonly assetId: string | null
}

/** In the order of play. */
export async function listPlayedItems(
  db: Db,
  { accountId, requestId }: ItemOwner,
): Promise<readonly PlayedItem[]> {
  const { rows } = await sql<PlayedItem>`
    select i.type, i.duration, i.document, a.video_id as "videoId", i.asset_id as "assetId"
      from ingest_items i left join assets a on a.account_id = i.account_id and a.asset_id = i.asset_id
     where i.account_id = ${accountId} and i.request_id = ${requestId}
     order by i.place`.execute(db)
  return rows
}
