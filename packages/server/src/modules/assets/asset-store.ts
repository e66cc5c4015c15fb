import type { Cut } from '@continuity/core/media/media'
import type { FoundCues } from '@continuity/core/media/video-cue-points'
import type { SlateKind } from '@continuity/core/packaging/slate-picture'
import { sql } from 'kysely'
import { type Db, type Transaction, tables } from '../../platform/database/database.ts'

/** Why an asset, an item or a request failed: a code for programs, a message for people. */
export interface Reason {
  readonly code: string
  readonly message: string
}

export type AssetState = 'QUEUED' | 'FETCHING' | 'PACKAGING' | 'READY' | 'FAILED' | 'CANCELLED'

/** The packaged form of a file, or what is to become one. */
export interface Asset {
  readonly accountId: string
  readonly assetId: string
  readonly videoId: string
  readonly madeFrom: string
  readonly imageUrl: string | null
  readonly state: AssetState
  readonly frameRate: 25 | 30
  readonly segmentMs: 3_200 | 6_400
}

interface AssetRow {
  account_id: string
  asset_id: string
  video_id: string
  made_from: string
  image_url: string | null
  state: AssetState
  progress: number
  reason_code: string | null
  reason_message: string | null
  frame_rate: number
  segment_ms: number
  package_path: string | null
  duration_ticks: number | null
  segment_count: number | null
  /** JSON. */
  cuts: string | null
  /** JSON. */
  found_cues: string | null
  has_slots: boolean
  created_ms: number
  updated_ms: number
}

const on = tables<{ assets: AssetRow }>()

const columns = [
  'account_id as accountId',
  'asset_id as assetId',
  'video_id as videoId',
  'made_from as madeFrom',
  'image_url as imageUrl',
  'state',
  'frame_rate as frameRate',
  'segment_ms as segmentMs',
] as const

/** Unfinished states. Spelled out, because PostgreSQL matches the partial index by this text. */
export const unfinished = sql`('QUEUED', 'FETCHING', 'PACKAGING')`

/** States of assets that have ended without a package. */
const lost = ['FAILED', 'CANCELLED'] as const

export async function insertAsset(
  tx: Transaction,
  asset: Omit<Asset, 'state'>,
  nowMs: number,
): Promise<void> {
  await on(tx)
    .insertInto('assets')
    .values({
      account_id: asset.accountId,
      asset_id: asset.assetId,
      video_id: asset.videoId,
      made_from: asset.madeFrom,
      image_url: asset.imageUrl,
      state: 'QUEUED',
      progress: 0,
      reason_code: null,
      reason_message: null,
      frame_rate: asset.frameRate,
      segment_ms: asset.segmentMs,
      package_path: null,
      duration_ticks: null,
      segment_count: null,
      cuts: null,
      found_cues: null,
      has_slots: false,
      created_ms: nowMs,
      updated_ms: nowMs,
    })
    .execute()
}

export async function findAsset(db: Db, accountId: string, assetId: string): Promise<Asset | undefined> {
  const row = await one(db, accountId, assetId).executeTakeFirst()
  return row as Asset | undefined
}

/** Locks the row: no one else can end the asset before the transaction ends. */
export async function lockAsset(
  tx: Transaction,
  accountId: string,
  assetId: string,
): Promise<Asset | undefined> {
  const row = await one(tx, accountId, assetId).forNoKeyUpdate().executeTakeFirst()
  return row as Asset | undefined
}

/**
 * The newest asset of a video that was made from the same file, else the one that is being made; not one that failed or was
 * cancelled. A file that is packaged again can be played meanwhile. It is locked, so that it cannot be cancelled before the transaction ends.
 */
export async function lockAssetFor(
  tx: Transaction,
  accountId: string,
  videoId: string,
  madeFrom: string,
): Promise<Asset | undefined> {
  const row = await on(tx)
    .selectFrom('assets')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('video_id', '=', videoId)
    .where('made_from', '=', madeFrom)
    .where('state', 'not in', lost)
    .orderBy(sql`state = 'READY'`, 'desc')
    .orderBy('asset_id', 'desc')
    .limit(1)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row as Asset | undefined
}

/** The asset of each video that is best to show: one that is READY, else one that is being made, else a cancelled one. */
export async function listBestAssets(
  db: Db,
  accountId: string,
  videoIds: readonly string[],
): Promise<readonly Asset[]> {
  const { rows } = await sql<Asset>`
    select distinct on (video_id) account_id as "accountId", asset_id as "assetId", video_id as "videoId",
           made_from as "madeFrom", image_url as "imageUrl", state, frame_rate as "frameRate", segment_ms as "segmentMs"
      from assets
     where account_id = ${accountId} and video_id = any(${videoIds}::uuid[]) and state <> 'FAILED'
     order by video_id, state = 'READY' desc, state in ${unfinished} desc, asset_id desc`.execute(db)
  return rows
}

/** The newest slate of a kind that is ready or being made. */
export async function findSlate(
  db: Db,
  accountId: string,
  madeFrom: string,
): Promise<{ readonly videoId: string; readonly isOutdated: boolean } | undefined> {
  return on(db)
    .selectFrom('assets')
    .select(['video_id as videoId', sql<boolean>`state = 'READY' and not has_slots`.as('isOutdated')])
    .where('account_id', '=', accountId)
    .where('made_from', '=', madeFrom)
    .where('state', 'not in', lost)
    .orderBy('asset_id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Whether a later file of the same video is READY. */
export async function hasNewerReady(
  db: Db,
  { accountId, videoId, assetId }: Pick<Asset, 'accountId' | 'videoId' | 'assetId'>,
): Promise<boolean> {
  const row = await on(db)
    .selectFrom('assets')
    .select('asset_id')
    .where('account_id', '=', accountId)
    .where('video_id', '=', videoId)
    .where('asset_id', '>', assetId)
    .where('state', '=', 'READY')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether a file of a video is being made, of which the package will have its cue points. */
export async function hasUnfinished(db: Db, accountId: string, videoId: string): Promise<boolean> {
  const row = await on(db)
    .selectFrom('assets')
    .select('asset_id')
    .where('account_id', '=', accountId)
    .where('video_id', '=', videoId)
    .where(sql<boolean>`state in ${unfinished}`)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Earlier packages of the same file of a video. */
export async function listFormer(
  db: Db,
  { accountId, videoId, assetId, madeFrom }: Pick<Asset, 'accountId' | 'videoId' | 'assetId' | 'madeFrom'>,
): Promise<readonly string[]> {
  const rows = await on(db)
    .selectFrom('assets')
    .select('asset_id')
    .where('account_id', '=', accountId)
    .where('video_id', '=', videoId)
    .where('made_from', '=', madeFrom)
    .where('asset_id', '<', assetId)
    .where('state', '=', 'READY')
    .execute()
  return rows.map((row) => row.asset_id)
}

/** How many assets of an account are unfinished. */
export async function countUnfinished(db: Db, accountId: string): Promise<number> {
  const { count } = await on(db)
    .selectFrom('assets')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where(sql<boolean>`state in ${unfinished}`)
    .executeTakeFirstOrThrow()
  return count
}

/** Returns false where the asset has ended meanwhile. */
export async function setProgress(
  db: Db,
  { accountId, assetId }: Pick<Asset, 'accountId' | 'assetId'>,
  state: 'FETCHING' | 'PACKAGING',
  progress: number,
  nowMs: number,
): Promise<boolean> {
  const { numUpdatedRows } = await on(db)
    .updateTable('assets')
    .set({ state, progress, updated_ms: nowMs })
    .where('account_id', '=', accountId)
    .where('asset_id', '=', assetId)
    .where(sql<boolean>`state in ${unfinished}`)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

export interface Package {
  readonly path: string
  readonly durationTicks: number
  readonly segmentCount: number
  /** Absent if the package has one part only. */
  readonly cuts?: readonly Cut[]
}

/** A package with what was found in its file. */
export interface FoundPackage extends Package {
  readonly found: FoundCues
}

/** Of an asset that is locked. */
export async function markReady(
  tx: Transaction,
  { accountId, assetId, madeFrom }: Pick<Asset, 'accountId' | 'assetId' | 'madeFrom'>,
  { path, durationTicks, segmentCount, cuts, found }: FoundPackage,
  nowMs: number,
): Promise<void> {
  await on(tx)
    .updateTable('assets')
    .set({
      state: 'READY',
      progress: 1,
      package_path: path,
      duration_ticks: durationTicks,
      segment_count: segmentCount,
      cuts: cuts === undefined ? null : JSON.stringify(cuts),
      found_cues: JSON.stringify(found),
      has_slots: isSlate(madeFrom),
      updated_ms: nowMs,
    })
    .where('account_id', '=', accountId)
    .where('asset_id', '=', assetId)
    .execute()
}

/** Of an asset that is locked. */
export async function markEnded(
  tx: Transaction,
  { accountId, assetId }: Pick<Asset, 'accountId' | 'assetId'>,
  state: 'FAILED' | 'CANCELLED',
  reason: Reason | null,
  nowMs: number,
): Promise<void> {
  await on(tx)
    .updateTable('assets')
    .set({
      state,
      reason_code: reason?.code ?? null,
      reason_message: reason?.message ?? null,
      updated_ms: nowMs,
    })
    .where('account_id', '=', accountId)
    .where('asset_id', '=', assetId)
    .execute()
}

const one = (db: Db, accountId: string, assetId: string) =>
  on(db)
    .selectFrom('assets')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('asset_id', '=', assetId)

/** Where a package is stored and how it is segmented. */
export interface ReadyPackage extends Omit<Package, 'cuts'> {
  readonly cuts: readonly Cut[] | null
  readonly assetId: string
  readonly videoId: string
  readonly segmentMs: 1_600 | 3_200 | 6_400
  /** The length of the account's segments, and of the slots of its live sources. */
  readonly slotMs: 3_200 | 6_400
  /** Whether it is also packaged in segments of one slot. */
  readonly hasSlots: boolean
}

export const isUnfinished = ({ state }: Pick<Asset, 'state'>): boolean =>
  state === 'QUEUED' || state === 'FETCHING' || state === 'PACKAGING'

const SLATE = /^slate:(rescue|time_fill|ad)$/

/** The kind of a slate that the platform renders; undefined for an asset that is made from a file. */
export const slateKindOf = ({ madeFrom }: Pick<Asset, 'madeFrom'>): SlateKind | undefined =>
  SLATE.exec(madeFrom)?.[1] as SlateKind | undefined

const isSlate = (madeFrom: string): boolean => madeFrom.startsWith('slate:')

/** Slates are cut into single GOPs, whatever the account's segments are. */
const packageColumns = sql`asset_id as "assetId", video_id as "videoId", package_path as path,
  duration_ticks as "durationTicks", segment_count as "segmentCount", cuts, has_slots as "hasSlots", segment_ms as "slotMs",
  case when made_from like 'slate:%' then 1600 else segment_ms end as "segmentMs"`

/** Packages of the given assets that are READY. */
export async function listPackages(
  db: Db,
  accountId: string,
  assetIds: readonly string[],
): Promise<readonly ReadyPackage[]> {
  const { rows } = await sql<ReadyPackage>`
    select ${packageColumns} from assets
     where account_id = ${accountId} and asset_id = any(${assetIds}::uuid[]) and state = 'READY'`.execute(db)
  return rows
}

/** The newest READY package of a video, with its file. */
export interface NewestPackage extends ReadyPackage, Pick<Asset, 'madeFrom' | 'imageUrl' | 'frameRate'> {
  /** Null for a package of an earlier release. */
  readonly found: FoundCues | null
}

export async function findNewestPackage(
  db: Db,
  accountId: string,
  videoId: string,
): Promise<NewestPackage | undefined> {
  const { rows } = await sql<NewestPackage>`
    select ${packageColumns}, made_from as "madeFrom", image_url as "imageUrl", frame_rate as "frameRate",
           found_cues as found
      from assets
     where account_id = ${accountId} and video_id = ${videoId} and state = 'READY'
     order by asset_id desc limit 1`.execute(db)
  return rows[0]
}

/** The newest READY package of each of the given videos. */
export async function listNewestPackages(
  db: Db,
  accountId: string,
  videoIds: readonly string[],
): Promise<readonly ReadyPackage[]> {
  const { rows } = await sql<ReadyPackage>`
    select distinct on (video_id) ${packageColumns} from assets
     where account_id = ${accountId} and video_id = any(${videoIds}::uuid[]) and state = 'READY'
     order by video_id, asset_id desc`.execute(db)
  return rows
}
