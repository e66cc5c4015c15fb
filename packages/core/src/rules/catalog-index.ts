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

/** A series with more videos is a class of its own, so that a separation skips all of them at once. */
const LARGE_SERIES = 100

export function indexCatalog(catalog: CatalogSnapshot, rules: PlanRules, seed: number): CatalogIndex {
  const canBePlanned = ({ status, duration_ms }: CatalogVideo) =>
    status === 'READY' && duration_ms > 0 && duration_ms <= DAY_MS
  const videos = catalog.videos.filter(canBePlanned)
  const unplanned = catalog.videos.filter((video) => !canBePlanned(video))
  const indexOf = new Map(videos.map(({ video_id }, at) => [video_id, at]))
  const hashOf = fill(new Uint32Array(videos.length), (at) => mix(hashText(videos[at]!.video_id), seed))
  const publishedMs = once(() =>
    fill(new Float64Array(videos.length), (at) => readMs(videos[at]!.date_published, -Infinity)),
  )
  const byId = (one: number, other: number) =>
    one === other ? 0 : videos[one]!.video_id < videos[other]!.video_id ? -1 : 1
  const byDate = (one: number, other: number) => compare(publishedMs()[one]!, publishedMs()[other]!)
  const byEpisode = (one: number, other: number) =>
    compareEpisodes(videos[one]!, videos[other]!) ||
    (videos[one]!.series_id === null ? byDate(one, other) : 0) ||
    byId(one, other)
  const all = () => fill(new Uint32Array(videos.length), (at) => at)
  const bySeries = once(() => findSeriesVideos(videos))
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
    newest: once(() => sequence(all().toSorted((one, other) => byDate(other, one) || byId(one, other)))),
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

function findSeriesVideos(videos: readonly CatalogVideo[]): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>()
  for (const [at, { series_id }] of videos.entries()) {
    if (series_id === null) continue
    const list = found.get(series_id)
    if (list === undefined) found.set(series_id, [at])
    else list.push(at)
  }
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

/** Subtraction would be NaN for two that have no date. */
const compare = (one: number, other: number): number => (one === other ? 0 : one - other)

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
  const known = new Map<string, number>()
  const classes: VideoClass[] = []
  const none: string[] = []
  const classOf = fill(new Uint32Array(videos.length), (at) => {
    const { parental_rating: rating, series_id, keywords: all } = videos[at]!
    const keywords = named.size === 0 ? none : all.filter((each) => named.has(each)).toSorted()
    const series = series_id !== null && sizes.get(series_id)! > LARGE_SERIES ? series_id : null
    const key = `${rating === null ? '' : `=${rating}`}\n${series ?? ''}\n${keywords.join('\n')}`
    const found = known.get(key) ?? classes.push({ rating, series, keywords }) - 1
    known.set(key, found)
    return found
  })
  return { classOf, classes }
}
