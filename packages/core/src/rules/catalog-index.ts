import type { CatalogSnapshot, CatalogVideo } from './plan-input.ts'
import type { PlanRules } from './plan-rules.ts'
import { hashText, mix } from './stable-random.ts'
import { DAY_MS } from './zone-time.ts'

/** The videos that can be planned, by index, prepared for many choices. */
export interface CatalogIndex {
  readonly videos: readonly CatalogVideo[]
  readonly indexOf: ReadonlyMap<string, number>
  /** Videos that cannot be planned; an airing of one still counts for the separation of others. */
  readonly unplanned: ReadonlyMap<string, CatalogVideo>
  readonly durationMs: Float64Array
  /** A video may be aired from the first to the second. */
  readonly availableMs: Float64Array
  readonly expiredMs: Float64Array
  /** Videos of a class have the same rating and the same keywords that rules name; large series are apart. */
  readonly classOf: Uint32Array
  readonly classes: readonly VideoClass[]
  /** All videos in the sequence of SHUFFLE and NEWEST_FIRST, and the rank of each video in it. */
  readonly shuffled: () => Sequence
  readonly newest: () => Sequence
  /** Parsed when it is first needed; NaN for a video without. */
  readonly timesOf: (field: TimeField) => Float64Array
  readonly hashOf: Uint32Array
  /** In the sequence of their episodes. */
  readonly seriesVideos: (seriesId: string) => readonly number[]
  /** By season, episode and id; videos without a series by date of publication. */
  readonly byEpisode: (one: number, other: number) => number
  readonly playlists: ReadonlyMap<string, readonly number[]>
  readonly seriesTitles: ReadonlyMap<string, string>
}

export interface VideoClass {
  readonly rating: string | null
  /** Null if the class is not of one large series. */
  readonly series: string | null
  /** Those that a separation names. */
  readonly keywords: readonly string[]
}

export interface Sequence {
  readonly videos: Uint32Array
  readonly rankOf: Uint32Array
}

export type TimeField = 'date_published' | 'date_available' | 'date_expired' | 'date_created' | 'last_updated'

/** A series with more videos is a class of its own, so that a separation skips all of them at once. */
const LARGE_SERIES = 100

export function indexCatalog(catalog: CatalogSnapshot, rules: PlanRules, seed: number): CatalogIndex {
  const canBePlanned = ({ status, duration_ms }: CatalogVideo) =>
    status === 'READY' && duration_ms > 0 && duration_ms <= DAY_MS
  const videos = catalog.videos.filter(canBePlanned)
  const unplanned = catalog.videos.filter((video) => !canBePlanned(video))
  const indexOf = new Map<string, number>()
  for (let at = 0; at < videos.length; at += 1) indexOf.set(videos[at]!.video_id, at)
  const timesOf = createTimeColumns(videos)
  const hashOf = fill(new Uint32Array(videos.length), (at) => mix(hashText(videos[at]!.video_id), seed))
  const byId = (one: number, other: number) =>
    one === other ? 0 : videos[one]!.video_id < videos[other]!.video_id ? -1 : 1
  const publishedMs = (at: number) => timesOf('date_published')[at]!
  const byDate = (one: number, other: number) => compareTimes(publishedMs(one), publishedMs(other))
  const byEpisode = (one: number, other: number) =>
    compareEpisodes(videos[one]!, videos[other]!) ||
    (videos[one]!.series_id === null ? byDate(one, other) : 0) ||
    byId(one, other)
  const bySeries = once(() => findSeriesVideos(videos, rules))
  return {
    videos,
    indexOf,
    unplanned: new Map(unplanned.map((video) => [video.video_id, video])),
    hashOf,
    byEpisode,
    seriesVideos: (seriesId) => (bySeries().get(seriesId) ?? []).toSorted(byEpisode),
    durationMs: fill(new Float64Array(videos.length), (at) => videos[at]!.duration_ms),
    ...findAvailability(videos, rules),
    ...classify(videos, rules),
    shuffled: once(() => sequence(shuffle(hashOf))),
    newest: once(() => sequence(sortNewest(timesOf('date_published'), byId))),
    timesOf,
    playlists: new Map(
      catalog.playlists.map(({ playlist_id, video_ids }) => [
        playlist_id,
        video_ids.map((id) => indexOf.get(id)).filter((at) => at !== undefined),
      ]),
    ),
    seriesTitles: new Map(catalog.series.map(({ series_id, title }) => [series_id, title])),
  }
}

/** By season and episode; what has no number comes first. */
export function compareEpisodes(
  one: Pick<CatalogVideo, 'season_number' | 'episode_number'>,
  other: Pick<CatalogVideo, 'season_number' | 'episode_number'>,
): number {
  return (
    (one.season_number ?? 0) - (other.season_number ?? 0) ||
    (one.episode_number ?? 0) - (other.episode_number ?? 0)
  )
}

/** The videos of the series that rules list. */
function findSeriesVideos(
  videos: readonly CatalogVideo[],
  { blocks, default: rest }: PlanRules,
): ReadonlyMap<string, readonly number[]> {
  const fillings = rest === null ? blocks : [...blocks, rest]
  const listed = fillings.flatMap(({ content }) => ('series_ids' in content ? content.series_ids : []))
  const found = new Map<string, number[]>(listed.map((seriesId) => [seriesId, []]))
  for (let at = 0; at < videos.length; at += 1) found.get(videos[at]!.series_id ?? '')?.push(at)
  return found
}

/** In a loop: `from` of a typed array takes ten times as long, because it iterates. */
export function fill<T extends Float64Array | Uint32Array>(column: T, valueAt: (at: number) => number): T {
  for (let at = 0; at < column.length; at += 1) column[at] = valueAt(at)
  return column
}

/** Computed when it is first needed: most rules need little of it. */
function once<T>(compute: () => T): () => T {
  let known: { readonly value: T } | undefined
  return () => {
    known ??= { value: compute() }
    return known.value
  }
}

function createTimeColumns(videos: readonly CatalogVideo[]): CatalogIndex['timesOf'] {
  const columns = new Map<TimeField, Float64Array>()
  return (field) => {
    const known = columns.get(field)
    if (known !== undefined) return known
    const column = fill(new Float64Array(videos.length), (at) => readMs(videos[at]![field], Number.NaN))
    columns.set(field, column)
    return column
  }
}

/** What has no time comes before what has one. */
const compareTimes = (one: number, other: number): number =>
  Number.isNaN(one) || Number.isNaN(other)
    ? Number(Number.isNaN(other)) - Number(Number.isNaN(one))
    : one - other

/** By date, the newest first, and those without a date last; of one date by id. */
function sortNewest(
  publishedMs: Float64Array,
  byId: (one: number, other: number) => number,
): Uint32Array<ArrayBuffer> {
  // Sorted as numbers, which is ten times as fast as with a function. NaN comes last.
  const dates = publishedMs.toSorted()
  const sequence = new Uint32Array(dates.length)
  const begins = new Map<number, number>() // of each date, in the sequence
  let undated = 0
  while (undated < dates.length && Number.isNaN(dates[dates.length - 1 - undated]!)) undated += 1
  const dated = dates.length - undated
  for (let at = 0; at < dated; at += 1) begins.set(dates[at]!, dated - 1 - at)
  begins.set(Number.NaN, dated)
  const nexts = new Map(begins)
  for (let at = 0; at < publishedMs.length; at += 1) {
    const next = nexts.get(publishedMs[at]!)!
    sequence[next] = at
    nexts.set(publishedMs[at]!, next + 1)
  }
  for (const [date, begin] of begins) {
    const end = nexts.get(date)!
    if (end - begin > 1) sequence.subarray(begin, end).sort(byId)
  }
  return sequence
}

const readMs = (text: string | null, otherwise: number): number =>
  text === null ? otherwise : Date.parse(text)

function sequence(videos: Uint32Array): Sequence {
  const rankOf = new Uint32Array(videos.length)
  for (let rank = 0; rank < videos.length; rank += 1) rankOf[videos[rank]!] = rank
  return { videos, rankOf }
}

const INDEX_MAXIMUM = 2 ** 21

/** By hash, then by index: sorted as numbers, which is ten times as fast as with a function. */
function shuffle(hashOf: Uint32Array): Uint32Array {
  const keys = fill(new Float64Array(hashOf.length), (at) => hashOf[at]! * INDEX_MAXIMUM + at).toSorted()
  return fill(new Uint32Array(keys.length), (at) => keys[at]! % INDEX_MAXIMUM)
}

function findAvailability(
  videos: readonly CatalogVideo[],
  { availability }: PlanRules,
): Pick<CatalogIndex, 'availableMs' | 'expiredMs'> {
  const availableMs = fill(new Float64Array(videos.length), (at) =>
    readMs(videos[at]!.date_available, -Infinity),
  )
  const expiredMs = fill(new Float64Array(videos.length), (at) => readMs(videos[at]!.date_expired, Infinity))
  if (availability.length === 0) return { availableMs, expiredMs }
  const limits = new Map<string, { readonly fromMs: number; readonly untilMs: number }[]>()
  for (const { series_id, video_id, keyword, from, until } of availability) {
    const key =
      series_id !== null
        ? `series:${series_id}`
        : video_id !== null
          ? `video:${video_id}`
          : `keyword:${keyword}`
    const limit = { fromMs: readMs(from, -Infinity), untilMs: readMs(until, Infinity) }
    limits.set(key, [...(limits.get(key) ?? []), limit])
  }
  for (const [at, video] of videos.entries()) {
    for (const { fromMs, untilMs } of keysOf(video).flatMap((key) => limits.get(key) ?? [])) {
      availableMs[at] = Math.max(availableMs[at]!, fromMs)
      expiredMs[at] = Math.min(expiredMs[at]!, untilMs)
    }
  }
  return { availableMs, expiredMs }
}

/** What rules may name a video by. */
export function keysOf({ video_id, series_id, keywords }: CatalogVideo): string[] {
  const keys = [`video:${video_id}`]
  if (series_id !== null) keys.push(`series:${series_id}`)
  for (const keyword of keywords) keys.push(`keyword:${keyword}`)
  return keys
}

function classify(
  videos: readonly CatalogVideo[],
  { separation }: PlanRules,
): Pick<CatalogIndex, 'classOf' | 'classes'> {
  const named = new Set(separation.map(({ keyword }) => keyword))
  const sizes = new Map<string, number>()
  for (const { series_id } of videos) {
    if (series_id !== null) sizes.set(series_id, (sizes.get(series_id) ?? 0) + 1)
  }
  const classes: VideoClass[] = []
  // By rating, large series and named keywords; texts of all of them for each video would be most of the work.
  const known = new Map<string | null, Map<string | null, Map<string, number>>>()
  const classOf = fill(new Uint32Array(videos.length), (at) => {
    const { parental_rating: rating, series_id, keywords: all } = videos[at]!
    const series = series_id !== null && sizes.get(series_id)! > LARGE_SERIES ? series_id : null
    const keywords = findNamed(all, named)
    const ofRating = getOrAdd(known, rating, () => new Map())
    const ofSeries = getOrAdd(ofRating, series, () => new Map())
    const key = keywords.length < 2 ? (keywords[0] ?? '') : keywords.join('\n')
    return getOrAdd(ofSeries, key, () => classes.push({ rating, series, keywords }) - 1)
  })
  return { classOf, classes }
}

const none: readonly string[] = []

/** The keywords of a video that separations name, in a stable sequence. */
function findNamed(keywords: readonly string[], named: ReadonlySet<string | null>): readonly string[] {
  if (named.size === 0) return none
  const found = keywords.filter((each) => named.has(each))
  return found.length < 2 ? found : found.toSorted()
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}
