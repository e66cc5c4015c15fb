import { createBrand } from '../../packages/server/src/modules/catalog/brands/create-brand.ts'
import {
  insertVideo,
  lockVideo,
  markVideoDeleted,
} from '../../packages/server/src/modules/catalog/records/video-store.ts'
import {
  indexVideo,
  unindexVideo,
} from '../../packages/server/src/modules/catalog/search-index/index-video.ts'
import { createSeries } from '../../packages/server/src/modules/catalog/series/create-series.ts'
import type { Actor } from '../../packages/server/src/platform/actor.ts'
import type { Db } from '../../packages/server/src/platform/database/database.ts'
import type { Draw } from '../draw.ts'
import type { SearchedCatalog } from './compare-search.ts'
import { brandIds, type CatalogVideo, makeCatalog, NOW_MS } from './random-catalog.ts'
import { type SomeSeries, someText } from './random-texts.ts'

export interface CatalogSize {
  readonly videos: number
  /** Small tiers, so that a small catalog has several. */
  readonly tierFull: number
}

const SERIES = 12
const AT_ONCE = 100

/** This share is inserted in the order of dates and makes tiers; the others are inserted between them. */
const IN_ORDER = 0.8

const byDate = (one: CatalogVideo, other: CatalogVideo) =>
  Date.parse(one.record.date_published ?? '0000-01-01') -
  Date.parse(other.record.date_published ?? '0000-01-01')

/** Fills an account with a catalog by the server's own functions, and deletes some videos again. */
export async function loadCatalog(
  db: Db,
  accountId: string,
  draw: Draw,
  { videos: count, tierFull }: CatalogSize,
): Promise<SearchedCatalog> {
  const actor: Actor = { accountId, userId: null, requestId: null, nowMs: NOW_MS }
  const series = await addParts(db, actor, draw)
  const made = makeCatalog(draw, count, { brandIds, series })
  const added = [...made.slice(0, count * IN_ORDER).toSorted(byDate), ...made.slice(count * IN_ORDER)]
  for (let from = 0; from < count; from += AT_ONCE) {
    await addVideos(db, actor, added.slice(from, from + AT_ONCE), tierFull)
  }
  const isDeleted = new Set(made.filter(() => draw.chance(0.03)))
  await deleteVideos(db, actor, [...isDeleted])
  return { db, accountId, videos: made.filter((video) => !isDeleted.has(video)) }
}

async function addParts(db: Db, actor: Actor, draw: Draw): Promise<SomeSeries[]> {
  return db.transaction().execute(async (tx) => {
    for (const brandId of brandIds) await createBrand(tx, actor, { brandId, name: brandId })
    const series: SomeSeries[] = []
    for (let i = 0; i < SERIES; i += 1)
      series.push(await createSeries(tx, actor, { title: someText(draw, 1, 4) }))
    return series
  })
}

/** Inserted directly: no request of a client can set the channels and the times of creation and change. */
async function addVideos(
  db: Db,
  actor: Actor,
  videos: readonly CatalogVideo[],
  tierFull: number,
): Promise<void> {
  const media = { hlsPath: null, mp4Path: null }
  await db.transaction().execute(async (tx) => {
    for (const { record, seriesTitle } of videos) {
      await insertVideo(tx, actor.accountId, record, media)
      await indexVideo(tx, actor, { before: null, after: record, seriesTitle }, tierFull)
    }
  })
}

async function deleteVideos(
  db: Db,
  { accountId, nowMs }: Actor,
  videos: readonly CatalogVideo[],
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    for (const { record } of videos) {
      const video = await lockVideo(tx, accountId, record.video_id)
      if (video === undefined) throw new Error('a video is missing')
      await markVideoDeleted(tx, video, nowMs)
      await unindexVideo(tx, accountId, record)
    }
  })
}
