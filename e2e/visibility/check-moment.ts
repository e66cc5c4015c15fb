import { isDeepStrictEqual } from 'node:util'
import { type Endpoint, operations } from '@continuity/contract'
import { describeAnswer, forEachAtOnce } from '../access/call.ts'
import {
  brandList,
  type List,
  playlistList,
  playlistVideoList,
  seriesLists,
  seriesVideoLists,
  videoLists,
} from '../paging/lists.ts'
import type { WirePlaylist, WireSeries, WireVideo } from '../paging/record-order.ts'
import type { ListPage, ListRequest } from '../paging/walk-list.ts'
import { jsonOf } from '../wire-fuzz/wire-request.ts'
import { isVisibleAt, type OpenCatalog } from './open-catalog.ts'
import { searchesAt, searchesOfOne } from './search-lists.ts'
import { isBroken, type Visitor } from './visitor.ts'

export interface MomentOptions {
  readonly catalog: OpenCatalog
  readonly visitor: Visitor
  readonly nowMs: number
  readonly pageSizes: readonly number[]
  log(line: string): void
}

const MOST_LOGGED = 10

/** Reads all lists, records and searches at one time, and compares each answer with the model. */
export async function checkMoment(options: MomentOptions): Promise<void> {
  const { catalog, visitor, nowMs, pageSizes, log } = options
  const visible = catalog.videos.filter((video) => isVisibleAt(video, nowMs))
  const checks: (() => Promise<void>)[] = []
  const { found } = visitor
  const differ = (what: string) => {
    found.differences += 1
    if (found.differences <= MOST_LOGGED) log(`${what} at ${new Date(nowMs).toISOString()}`)
  }
  const pageSizeOf = (at: number) => pageSizes[at % pageSizes.length]!

  const list = <R>(of: Listed<R>, expected: readonly R[]) => {
    const pageSize = pageSizeOf(checks.length)
    checks.push(async () => {
      const pages = await visitor.walk<R>(of, pageSize)
      found.lists += 1
      found.rows += expected.length
      const fault = faultOf(of, pages, expected)
      if (fault !== undefined) differ(`${of.name} by ${pageSize}: ${fault}`)
    })
  }
  const record = (e: Endpoint, params: Record<string, string>, expected: unknown) => {
    checks.push(async () => {
      const answer = await visitor.request(e, { params })
      if (expected === undefined) found.hiddenRecords += 1
      else found.publicRecords += 1
      const isRight =
        expected === undefined ? answer.status === 404 : isDeepStrictEqual(jsonOf(answer), expected)
      if (!isRight) differ(`${e.id} ${JSON.stringify(params)}: ${describeAnswer(answer)}`)
    })
  }
  const videosOf = (of: List<WireVideo>) => list<WireVideo>(of, of.arrange(visible.filter(of.has)))

  for (const of of videoLists) videosOf(of)
  const openSeries = catalog.series
    .filter(({ status }) => status === 'READY')
    .map((series) => countedSeries(series, visible))
  for (const of of seriesLists) list<WireSeries>(of, of.arrange(openSeries))
  for (const { series_id } of catalog.series) {
    const open = openSeries.find((series) => series.series_id === series_id)
    record(operations.getSeries, { series_id }, open)
    if (open === undefined) record(operations.listSeriesVideos, { series_id }, undefined)
    else for (const of of seriesVideoLists(series_id)) videosOf(of)
  }
  const openPlaylists = catalog.playlists
    .filter(({ playlist }) => playlist.status === 'READY')
    .map(({ playlist, videoIds }) => countedPlaylist(playlist, videoIds, visible))
  list<WirePlaylist>(playlistList, playlistList.arrange(openPlaylists))
  for (const { playlist, videoIds } of catalog.playlists) {
    const { playlist_id } = playlist
    const open = openPlaylists.find((other) => other.playlist_id === playlist_id)
    record(operations.getPlaylist, { playlist_id }, open)
    if (open === undefined) record(operations.listPlaylistVideos, { playlist_id }, undefined)
    else
      videosOf(
        playlistVideoList('videos of a playlist', playlist_id, { now: () => videoIds, lasting: videoIds }),
      )
  }
  list(brandList, brandList.arrange(catalog.brands))
  for (const video of catalog.videos) {
    const { video_id } = video
    record(operations.getVideo, { video_id }, isVisibleAt(video, nowMs) ? video : undefined)
  }
  const searches = [...searchesAt(catalog, nowMs), ...searchesOfOne(catalog)]
  for (const of of searches) {
    const expected = visible.filter(of.has)
    list<WireVideo>(of, of.arrange?.(expected) ?? expected)
  }
  await forEachAtOnce(checks, async (check) => {
    if (!isBroken(found)) await check().catch((error: unknown) => differ(String(error)))
  })
}

/** A list, or a search whose order the records do not determine. */
interface Listed<R> extends ListRequest {
  readonly name: string
  readonly arrange: ((rows: readonly R[]) => readonly R[]) | undefined
}

function faultOf<R>(
  of: Listed<R>,
  pages: readonly ListPage<R>[],
  expected: readonly R[],
): string | undefined {
  const rows = pages.flatMap(({ hits }) => hits)
  const [one, other] = of.arrange !== undefined ? [rows, expected] : [inAnyOrder(rows), inAnyOrder(expected)]
  if (!isDeepStrictEqual(one, other)) return `${rows.length} rows instead of ${expected.length}`
  const isBrands = of.operation === operations.listBrands
  const areTotalsRight = pages.every(({ total, total_relation }) => {
    return total === expected.length && total_relation === (isBrands ? undefined : 'eq')
  })
  return areTotalsRight
    ? undefined
    : `totals ${pages.map(({ total }) => total).join(', ')} instead of ${expected.length}`
}

const inAnyOrder = (rows: readonly unknown[]) =>
  rows.map((row) => JSON.stringify(row)).toSorted((one, other) => (one < other ? -1 : 1))

export function countedSeries(series: WireSeries, visible: readonly WireVideo[]): WireSeries {
  const videos = visible.filter(({ series_id }) => series_id === series.series_id)
  const seasons = new Set(videos.flatMap(({ season_number }) => season_number ?? []))
  return { ...series, video_count: videos.length, season_count: seasons.size }
}

export function countedPlaylist(
  playlist: WirePlaylist,
  videoIds: readonly string[],
  visible: readonly WireVideo[],
): WirePlaylist {
  const videos = visible.filter(({ video_id }) => videoIds.includes(video_id))
  return { ...playlist, video_count: videos.length }
}
