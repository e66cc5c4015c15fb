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

/** A list as it is asked for, and what it promises. */
export interface List<R> extends ListRequest {
  readonly name: string
  /** Which of the account's records it has, for one who sees all of them. */
  has(row: R): boolean
  /** How they stand in it while nothing changes. */
  arrange(rows: readonly R[]): readonly R[]
  /** How many of the rows that a walk found stand behind one that they should stand before. */
  countMisplaced(rows: readonly R[]): number
  /** Any change of a row moves it. */
  readonly goesByUpdate: boolean
}

const everything = { has: () => true, goesByUpdate: false }

/** The two members of a list that goes by one comparison. */
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
  goesByUpdate: field === 'last_updated',
  ...inOrderOf(videosBy(field, order)),
})

export const videoLists: readonly List<WireVideo>[] = sortsOf(videoSortFields).map((sort) => ({
  ...everything,
  name: `videos by ${sort.field}.${sort.order}`,
  operation: operations.listVideos,
  query: { sort: `${sort.field}.${sort.order}` },
  ...sortedBy(sort),
}))

/** The episode whose videos are asked for alone. */
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

/** The order of a playlist: as it is at any time, and of those that keep their places. */
export interface PlaylistOrder {
  now(): readonly string[]
  readonly lasting: readonly string[]
}

export function playlistVideoList(name: string, playlist_id: string, order: PlaylistOrder): List<WireVideo> {
  const lastingPlaces = placesOf(order.lasting)
  return {
    name,
    operation: operations.listPlaylistVideos,
    params: { playlist_id },
    has: ({ video_id }) => order.now().includes(video_id),
    arrange: (rows) => {
      const places = placesOf(order.now())
      return rows.toSorted((one, other) => places.get(one.video_id)! - places.get(other.video_id)!)
    },
    countMisplaced: (rows) => {
      const places = rows.flatMap(({ video_id }) => lastingPlaces.get(video_id) ?? [])
      return places.filter((place, at) => at > 0 && places[at - 1]! >= place).length
    },
    goesByUpdate: false,
  }
}

const placesOf = (ids: readonly string[]) => new Map(ids.map((id, place) => [id, place]))
