import { matchesText } from '@continuity/core/search/match-text'
import { parseQuery, type TextTerm } from '@continuity/core/search/parse-query'
import { wordsOf } from '@continuity/core/search/words'
import { titleOrderOf } from '../../packages/server/src/modules/catalog/records/title-order.ts'
import type { VideoRecord } from '../../packages/server/src/modules/catalog/records/video-record.ts'
import type { VideoSortField } from '../../packages/server/src/modules/catalog/records/video-sort.ts'
import { passes } from './filter-tree.ts'
import type { CatalogVideo } from './random-catalog.ts'
import type { Search } from './random-search.ts'

export interface Expected {
  readonly ids: readonly string[]
  /** False for a search by relevance: the model does not define its order. */
  readonly isOrdered: boolean
}

/** The expected result of a search, by a scan of every video. */
export function expectSearch(videos: readonly CatalogVideo[], search: Search): Expected {
  const { filter } = search
  const text = parseQuery(search.query)
  const found = videos.filter(
    (video) =>
      isShown(video.record, search.shownMs) &&
      (filter === undefined || passes(filter, video)) &&
      hasWords(text, search, video),
  )
  const { field, order } = search.sort ?? { field: 'date_published', order: 'DESC' }
  const direction = order === 'DESC' ? -1 : 1
  const keyed = found.map(({ record }) => ({ id: record.video_id, key: sortKeyOf[field](record) }))
  keyed.sort((one, other) => direction * (compareKeys(one.key, other.key) || compareTexts(one.id, other.id)))
  const isByRelevance = search.sort === undefined && text.some(({ isExcluded }) => !isExcluded)
  return { ids: keyed.map(({ id }) => id), isOrdered: !isByRelevance }
}

const isShown = (record: VideoRecord, shownMs: number | null): boolean =>
  shownMs === null ||
  (record.status === 'READY' &&
    (record.date_available === null || Date.parse(record.date_available) <= shownMs) &&
    (record.date_expired === null || Date.parse(record.date_expired) > shownMs))

function hasWords(text: readonly TextTerm[], { fields }: Search, video: CatalogVideo): boolean {
  if (text.length === 0) return true
  // Most videos lack one of the words: skip them early.
  const known = wordsIn(video)
  if (text.some(({ words, isExcluded }) => !isExcluded && !words.every((word) => known.has(word))))
    return false
  const { record, seriesTitle } = video
  const { title, keywords, description } = record
  return matchesText(text, fields, { title, keywords, description, seriesTitle, labels: {} })
}

const wordsByVideo = new WeakMap<CatalogVideo, ReadonlySet<string>>()

function wordsIn(video: CatalogVideo): ReadonlySet<string> {
  const known = wordsByVideo.get(video)
  if (known !== undefined) return known
  const { title, keywords, description } = video.record
  const words = new Set([title, description, video.seriesTitle, ...keywords].flatMap(wordsOf))
  wordsByVideo.set(video, words)
  return words
}

type Key = number | string

/** A missing date sorts first; a missing expiry sorts last. */
const sortKeyOf: Readonly<Record<VideoSortField, (record: VideoRecord) => Key>> = {
  date_published: ({ date_published }) => timeOf(date_published, Number.NEGATIVE_INFINITY),
  date_available: ({ date_available }) => timeOf(date_available, Number.NEGATIVE_INFINITY),
  date_expired: ({ date_expired }) => timeOf(date_expired, Number.POSITIVE_INFINITY),
  date_created: ({ date_created }) => Date.parse(date_created),
  last_updated: ({ last_updated }) => Date.parse(last_updated),
  title: ({ title }) => titleOrderOf(title),
  duration: ({ duration }) => duration,
  episode_number: ({ episode_number }) => episode_number ?? Number.POSITIVE_INFINITY,
}

const timeOf = (date: string | null, none: number) => (date === null ? none : Date.parse(date))

function compareKeys(one: Key, other: Key): number {
  if (typeof one === 'string') return compareTexts(one, String(other))
  return one === other ? 0 : one < Number(other) ? -1 : 1
}

/** By code points, as the collation "C" does; JavaScript compares UTF-16 units. */
const compareTexts = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other))
