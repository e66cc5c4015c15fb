import type { AnswerOf, Operations } from '@continuity/contract'
import { foldText } from '@continuity/core/text/fold-text'

export type WireVideo = AnswerOf<Operations['getVideo']>
export type WireSeries = AnswerOf<Operations['getSeries']>
export type WirePlaylist = AnswerOf<Operations['getPlaylist']>
export type WireBrand = AnswerOf<Operations['getBrand']>

/** Negative where the first one sorts first. */
export type Compare<R> = (one: R, other: R) => number

export const videoSortFields = [
  'date_published',
  'date_created',
  'last_updated',
  'date_available',
  'date_expired',
  'title',
  'duration',
] as const
export const seriesVideoSortFields = [...videoSortFields, 'episode_number'] as const
export type SortField = (typeof seriesVideoSortFields)[number]

export const orders = ['ASC', 'DESC'] as const
export type Order = (typeof orders)[number]

/** By a field, then by id, both in the same direction. */
export function videosBy(field: SortField, order: Order): Compare<WireVideo> {
  const direction = order === 'ASC' ? 1 : -1
  return (one, other) => {
    const [keys, others] = [keysOf[field](one), keysOf[field](other)]
    for (const [at, key] of keys.entries()) {
      const difference = compareValues(key, others[at]!)
      if (difference !== 0) return difference * direction
    }
    return compareValues(one.video_id, other.video_id) * direction
  }
}

/** By title and then by id. */
export const byTitle =
  <R extends { readonly title: string }>(idOf: (row: R) => string, order: Order): Compare<R> =>
  (one, other) => {
    const byText = compareValues(titleKey(one.title), titleKey(other.title))
    const difference = byText === 0 ? compareValues(idOf(one), idOf(other)) : byText
    return order === 'ASC' ? difference : -difference
  }

type Key = string | number

const keysOf: Readonly<Record<SortField, (video: WireVideo) => readonly Key[]>> = {
  date_published: ({ date_published }) => [timeOf(date_published, -Infinity)],
  date_created: ({ date_created }) => [Date.parse(date_created)],
  last_updated: ({ last_updated }) => [Date.parse(last_updated)],
  date_available: ({ date_available }) => [timeOf(date_available, -Infinity)],
  date_expired: ({ date_expired }) => [timeOf(date_expired, Infinity)],
  title: ({ title }) => [titleKey(title)],
  duration: ({ duration }) => [duration],
  episode_number: ({ episode_number, season_number }) => [
    episode_number ?? Infinity,
    season_number ?? Infinity,
  ],
}

export const timeOf = (date: string | null, none: number): number => (date === null ? none : Date.parse(date))

/** Lists compare only this many characters of a title. */
const TITLE_CHARACTERS = 100

const titleKey = (title: string) => Array.from(foldText(title)).slice(0, TITLE_CHARACTERS).join('')

function compareValues(one: Key, other: Key): number {
  if (one === other) return 0
  // By code point; JavaScript compares UTF-16 units.
  if (typeof one === 'string') return Buffer.compare(Buffer.from(one), Buffer.from(`${other}`))
  return one < (other as number) ? -1 : 1
}
