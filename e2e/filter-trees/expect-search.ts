import { matchesText } from '@continuity/core/search/match-text'
import { parseQuery, type TextTerm } from '@continuity/core/search/parse-query'
import { wordsOf } from '@continuity/core/search/words'
import { titleOrderOf } from '../../packages/server/src/modules/catalog/title-order.ts'
import type { VideoRecord } from '../../packages/server/src/modules/catalog/video-record.ts'
import type { VideoSortField } from '../../packages/server/src/modules/catalog/video-sort.ts'
import type { Asked } from './asked.ts'
import { passes } from './filter-tree.ts'
import type { CatalogVideo } from './random-catalog.ts'

export interface Expected {
  readonly ids: readonly string[]
  /** Where it is by relevance, the definition says nothing about the order. */
  readonly isOrdered: boolean
}

/** What a search has to find, by looking at every video. */
export function expectSearch(videos: readonly CatalogVideo[], asked: Asked): Expected {
  const { filter } = asked
  const text = parseQuery(asked.query)
  const found = videos.filter(
    (video) =>
      isShown(video.record, asked.shownMs) &&
      (filter === undefined || passes(filter, video)) &&
      hasWords(text, asked, video),
  )
  const { field, order } = asked.sort ?? { field: 'date_published', order: 'DESC' }
  const direction = order === 'DESC' ? -1 : 1
  const keyed = found.map(({ record }) => ({ id: record.video_id, key: sortKeyOf[field](record) }))
  keyed.sort((one, other) => direction * (compareKeys(one.key, other.key) || compareTexts(one.id, other.id)))
  const isRelevanceAsked = asked.sort === undefined && text.some(({ isExcluded }) => !isExcluded)
  return { ids: keyed.map(({ id }) => id), isOrdered: !isRelevanceAsked }
}

const isShown = (record: VideoRecord, shownMs: number | null): boolean =>
  shownMs === null ||
  (record.status === 'READY' &&
    (record.date_available === null || Date.parse(record.date_available) <= shownMs) &&
    (record.date_expired === null || Date.parse(record.date_expired) > shownMs))

function hasWords(text: readonly TextTerm[], { fields }: Asked, video: CatalogVideo): boolean {
  if (text.length === 0) return true
  // Most videos lack one of the words, and are not worth a closer look.
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

/** A video without a date comes where one of the first, or for its end one of the last of all dates would. */
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

/** By code points, as the database's own order "C" goes; JavaScript's goes by halves of them. */
const compareTexts = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other))
