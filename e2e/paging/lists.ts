import { operations } from '@continuity/contract'
import {
  byTitle,
  type Compare,
  type Order,
  orders,
  type SortField,
  seriesVideoSortFields,
  videoSortFields,
  videosBy,
  type WireBrand,
  type WirePlaylist,
  type WireSeries,
  type WireVideo,
} from './record-order.ts'
import type { ListRequest } from './walk-list.ts'

/** A list: its request, and the expected content and order. */
export interface List<R> extends ListRequest {
  readonly name: string
  /** Whether a record is in it, for a user who sees all records. */
  has(row: R): boolean
  /** The rows in the order of the list. */
  arrange(rows: readonly R[]): readonly R[]
  /** How many of the rows are out of order. */
  countMisplaced(rows: readonly R[]): number
  /** Any change of a row moves it in the list. */
  readonly isSortedByUpdate: boolean
}

const everything = { has: () => true, isSortedByUpdate: false }

/** The two methods of a list that is sorted by one comparison. */
export const inOrderOf = <R>(compare: Compare<R>): Pick<List<R>, 'arrange' | 'countMisplaced'> => ({
  arrange: (rows) => rows.toSorted(compare),
  countMisplaced: (rows) => rows.filter((row, at) => at > 0 && compare(rows[at - 1]!, row) >= 0).length,
})

export const seriesLists: readonly List<WireSeries>[] = orders.map((order) => ({
  ...everything,
  name: `series by title.${order}`,
  operation: operations.listSeries,
  query: { sort: `title.${order}` },
  ...inOrderOf(byTitle(({ series_id }) => series_id, order)),
}))

export const playlistList: List<WirePlaylist> = {
  ...everything,
  name: 'playlists',
  operation: operations.listPlaylists,
  ...inOrderOf(byTitle(({ playlist_id }) => playlist_id, 'ASC')),
}

const byName = byTitle<{ readonly id: string; readonly title: string }>(({ id }) => id, 'ASC')
const titled = ({ brand_id, name }: WireBrand) => ({ id: brand_id, title: name })

export const brandList: List<WireBrand> = {
  ...everything,
  name: 'brands',
  operation: operations.listBrands,
  ...inOrderOf((one, other) => byName(titled(one), titled(other))),
}

/** Every field in both directions. */
export const sortsOf = (fields: readonly SortField[]): readonly Sort[] =>
  fields.flatMap((field) => orders.map((order) => ({ field, order })))

interface Sort {
  readonly field: SortField
  readonly order: Order
}

export const sortedBy = ({ field, order }: Sort) => ({
  isSortedByUpdate: field === 'last_updated',
  ...inOrderOf(videosBy(field, order)),
})

export const videoLists: readonly List<WireVideo>[] = sortsOf(videoSortFields).map((sort) => ({
  ...everything,
  name: `videos by ${sort.field}.${sort.order}`,
  operation: operations.listVideos,
  query: { sort: `${sort.field}.${sort.order}` },
  ...sortedBy(sort),
}))

/** The episode that lists are filtered by. */
const EPISODE = 3

export function seriesVideoLists(series_id: string): readonly List<WireVideo>[] {
  const has = (video: WireVideo) => video.series_id === series_id
  const list = (sort: Sort) => ({
    operation: operations.listSeriesVideos,
    params: { series_id },
    query: { sort: `${sort.field}.${sort.order}` },
    ...sortedBy(sort),
  })
  const all = sortsOf(seriesVideoSortFields).map((sort) => ({
    ...list(sort),
    name: `videos of a series by ${sort.field}.${sort.order}`,
    has,
  }))
  const ofEpisode = sortsOf(['episode_number', 'date_published']).map((sort) => ({
    ...list(sort),
    name: `an episode of a series by ${sort.field}.${sort.order}`,
    query: { sort: `${sort.field}.${sort.order}`, episode: `${EPISODE}` },
    has: (video: WireVideo) => has(video) && video.episode_number === EPISODE,
  }))
  return [...all, ...ofEpisode]
}

/** The order of a playlist: the current one, and that of the videos that keep their position. */
export interface PlaylistOrder {
  now(): readonly string[]
  readonly lasting: readonly string[]
}

export function playlistVideoList(name: string, playlist_id: string, order: PlaylistOrder): List<WireVideo> {
  const lastingIndexes = indexesOf(order.lasting)
  return {
    name,
    operation: operations.listPlaylistVideos,
    params: { playlist_id },
    has: ({ video_id }) => order.now().includes(video_id),
    arrange: (rows) => {
      const indexes = indexesOf(order.now())
      return rows.toSorted((one, other) => indexes.get(one.video_id)! - indexes.get(other.video_id)!)
    },
    countMisplaced: (rows) => {
      const indexes = rows.flatMap(({ video_id }) => lastingIndexes.get(video_id) ?? [])
      return indexes.filter((index, at) => at > 0 && indexes[at - 1]! >= index).length
    },
    isSortedByUpdate: false,
  }
}

const indexesOf = (ids: readonly string[]) => new Map(ids.map((id, index) => [id, index]))
