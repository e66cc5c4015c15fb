import { type Filter, filterFields, matchesFilter, readFilter } from '../search/filter.ts'
import { type CatalogIndex, fill, type TimeField } from './catalog-index.ts'
import { blockOf, type Memory } from './memory.ts'
import type { Content, Filling, Order } from './plan-rules.ts'
import { DAY_MS } from './zone-time.ts'

/** The videos of a filling that may be aired on a day. */
export interface Pool {
  readonly contains: (video: number) => boolean
  /** By class, in the sequence of the order; for SHUFFLE and NEWEST_FIRST. */
  readonly shelves: readonly Shelf[]
  /** For NEXT_EPISODE and MARATHON. */
  readonly groups: readonly Group[]
  readonly groupOf: ReadonlyMap<string, Group>
}

/** Videos of one class. Those that the track has aired are removed once they are found. */
export interface Shelf {
  readonly videoClass: number
  readonly videos: Uint32Array
  readonly tree: DurationTree
}

/** A series, a playlist, or videos without a series. */
export interface Group {
  readonly key: string
  readonly isPlaylist: boolean
  /** In sequence. */
  readonly episodes: readonly number[]
  /** Bit c % 32 is set if there is an episode of class c, so that most groups without any allowed one are skipped. */
  readonly classBits: number
}

/** The beginning and the end of a local day, and its number. */
export interface Day {
  readonly localMs: number
  readonly startMs: number
  readonly endMs: number
}

export type FindPool = (filling: Filling, day: Day) => Pool

/** Pools are kept for as long as they stay the same: most contents depend on neither the day nor what was aired. */
export function createPools(index: CatalogIndex, memory: Memory): FindPool {
  const kept = new Map<string, { readonly version: string; readonly pool: Pool }>()
  const isLimited =
    index.availableMs.some((ms) => ms !== -Infinity) || index.expiredMs.some((ms) => ms !== Infinity)
  const members = createMembers(index, memory)
  return (filling, day) => {
    const { content, order, track } = filling
    const key = JSON.stringify([content, order, track])
    const isDaily = isLimited || ('filter' in content && isRelative(content.filter))
    const aired = 'block_id' in content ? blockOf(memory, content.block_id).changes : 0
    const version = `${isDaily ? day.localMs : ''} ${aired}`
    const known = kept.get(key)
    if (known?.version === version) return known.pool
    const isIn = (at: number) => index.availableMs[at]! < day.endMs && index.expiredMs[at]! > day.startMs
    // A playlist stays whole, because positions are indexes in it.
    const all = members(content, day)
    const list = isLimited && !('playlist_id' in content) ? all.filter(isIn) : all
    const pool = buildPool(index, filling, list)
    kept.set(key, { version, pool })
    return pool
  }
}

/** The videos of a content, in the sequence in which it lists them. */
function createMembers(index: CatalogIndex, memory: Memory) {
  const all = index.videos.map((_, at) => at)
  const filtered = new Map<string, readonly number[]>()
  return (content: Content, day: Day): readonly number[] => {
    if ('playlist_id' in content) return index.playlists.get(content.playlist_id) ?? []
    if ('series_ids' in content) return content.series_ids.flatMap(index.seriesVideos)
    if ('block_id' in content) {
      const ids = [...blockOf(memory, content.block_id).videoIds]
      return ids.map((id) => index.indexOf.get(id)).filter((at) => at !== undefined)
    }
    const key = JSON.stringify([content, isRelative(content.filter) ? day.localMs : null])
    const known = filtered.get(key)
    if (known !== undefined) return known
    const found = all.filter(compileFilter(content.filter, index, day.startMs))
    // A day is left behind for good, so only what does not depend on it is worth keeping.
    if (!isRelative(content.filter)) filtered.set(key, found)
    return found
  }
}

function buildPool(index: CatalogIndex, { content, order }: Filling, list: readonly number[]): Pool {
  const flags = new Uint8Array(index.videos.length)
  for (const at of list) flags[at] = 1
  const isShuffled = order === 'SHUFFLE'
  const shelves = isShuffled || order === 'NEWEST_FIRST' ? buildShelves(index, isShuffled, list) : []
  const groups =
    order === 'NEXT_EPISODE' || order === 'MARATHON' ? buildGroups(index, order, content, list) : []
  const groupOf = new Map(groups.map((group) => [group.key, group]))
  return { contains: (video) => flags[video] === 1, shelves, groups, groupOf }
}

function buildShelves(index: CatalogIndex, isShuffled: boolean, list: readonly number[]): Shelf[] {
  const { videos: sequence, rankOf } = isShuffled ? index.shuffled() : index.newest()
  const ranks = fill(new Uint32Array(list.length), (at) => rankOf[list[at]!]!).toSorted()
  const byClass = new Map<number, number[]>()
  for (let at = 0; at < ranks.length; at += 1) {
    // A playlist may have a video twice.
    if (at > 0 && ranks[at] === ranks[at - 1]) continue
    const video = sequence[ranks[at]!]!
    const videoClass = index.classOf[video]!
    const shelf = byClass.get(videoClass)
    if (shelf === undefined) byClass.set(videoClass, [video])
    else shelf.push(video)
  }
  return [...byClass].map(([videoClass, list]) => {
    const videos = Uint32Array.from(list)
    const tree = createDurationTree(
      fill(new Float64Array(videos.length), (at) => index.durationMs[videos[at]!]!),
    )
    return { videoClass, videos, tree }
  })
}

/** In the sequence of the document if it lists series, or else by title. */
function buildGroups(index: CatalogIndex, order: Order, content: Content, list: readonly number[]): Group[] {
  if ('playlist_id' in content && order === 'NEXT_EPISODE') {
    return list.length === 0 ? [] : [buildGroup(index, `playlist:${content.playlist_id}`, list, true)]
  }
  const bySeries = new Map<string, number[]>()
  const isKnown = new Uint8Array(index.videos.length)
  for (const at of list) {
    // A playlist may have a video twice.
    if (isKnown[at] === 1) continue
    isKnown[at] = 1
    const key = index.videos[at]!.series_id ?? ''
    const series = bySeries.get(key)
    if (series === undefined) bySeries.set(key, [at])
    else series.push(at)
  }
  const groups = [...bySeries].map(([key, episodes]) =>
    buildGroup(index, key, 'series_ids' in content ? episodes : episodes.toSorted(index.byEpisode), false),
  )
  if ('series_ids' in content) return groups
  const title = ({ key }: Group) => `${index.seriesTitles.get(key) ?? ''}\n${key}`
  const titles = new Map(groups.map((group) => [group, title(group)]))
  return groups.toSorted((one, other) => (titles.get(one)! < titles.get(other)! ? -1 : 1))
}

function buildGroup(
  index: CatalogIndex,
  key: string,
  episodes: readonly number[],
  isPlaylist: boolean,
): Group {
  const classBits = episodes.reduce((bits, at) => bits | (1 << (index.classOf[at]! % 32)), 0)
  return { key, isPlaylist, episodes, classBits }
}

export const dayFrom = (localMs: number, momentOf: (localMs: number) => number): Day => ({
  localMs,
  startMs: momentOf(localMs),
  endMs: momentOf(localMs + DAY_MS),
})

/** Finds the first of a sequence of videos that is short enough, in logarithmic time. */
interface DurationTree {
  /** The first at or after a position with at most this duration; -1 if there is none. */
  findFirst(from: number, mostMs: number): number
  remove(at: number): void
}

/** Each node of the tree has the shortest duration below it; the leaves begin at `size`. */
function createDurationTree(durationsMs: Float64Array): DurationTree {
  let size = 1
  while (size < durationsMs.length) size *= 2
  const least = new Float64Array(2 * size).fill(Infinity)
  least.set(durationsMs, size)
  for (let node = size - 1; node > 0; node -= 1) {
    least[node] = Math.min(least[2 * node]!, least[2 * node + 1]!)
  }
  return {
    findFirst: (from, mostMs) => {
      if (from >= durationsMs.length) return -1
      let node = from + size
      while (least[node]! > mostMs) {
        // Up to the next subtree on the right; past the last one there is nothing.
        while (node % 2 === 1) node = (node - 1) / 2
        if (node === 0) return -1
        node += 1
      }
      while (node < size) node = least[2 * node]! <= mostMs ? 2 * node : 2 * node + 1
      return node - size
    },
    remove: (at) => {
      let node = at + size
      least[node] = Infinity
      for (node >>= 1; node > 0; node >>= 1) {
        least[node] = Math.min(least[2 * node]!, least[2 * node + 1]!)
      }
    },
  }
}

/** Whether a video matches, by its index. */
type FilterTest = (at: number) => boolean

type Catalog = Pick<CatalogIndex, 'videos' | 'timesOf'>

/** Prepares a filter of the search for many videos. Only times can depend on `nowMs`. */
export function compileFilter(input: unknown, catalog: Catalog, nowMs: number): FilterTest {
  const read = readFilter(input, nowMs)
  // The rules were checked; a filter that is rejected now matches nothing.
  return read.kind === 'rejected' ? () => false : compile(read.filter, catalog)
}

/** Whether a filter depends on the day. */
export const isRelative = (input: unknown): boolean => JSON.stringify(input).includes('"now')

function compile(filter: Filter, catalog: Catalog): FilterTest {
  const { videos, timesOf } = catalog
  switch (filter.kind) {
    case 'and': {
      const parts = filter.of.map((part) => compile(part, catalog))
      return (at) => parts.every((part) => part(at))
    }
    case 'or': {
      const parts = filter.of.map((part) => compile(part, catalog))
      return (at) => parts.some((part) => part(at))
    }
    case 'not': {
      const part = compile(filter.of, catalog)
      return (at) => !part(at)
    }
    case 'compare': {
      if (filterFields[filter.field] !== 'time') return (at) => matchesFilter(filter, videos[at]!)
      const times = timesOf(filter.field as TimeField)
      const { op, value } = filter
      // Comparisons with NaN are false, as for a field without a value.
      if (op === 'gte') return (at) => times[at]! >= value
      if (op === 'lte') return (at) => times[at]! <= value
      return op === 'gt' ? (at) => times[at]! > value : (at) => times[at]! < value
    }
    default:
      return (at) => matchesFilter(filter, videos[at]!)
  }
}
