import { operations } from '@continuity/contract'
import { FEW, MANY, PHRASE } from './drafts.ts'
import { type List, sortedBy, sortsOf } from './lists.ts'
import { type Compare, videoSortFields, videosBy, type WireVideo } from './record-order.ts'

const newestFirst = videosBy('date_published', 'DESC')

const wordsOf = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
const hasWord = (text: string, word: string) => wordsOf(text).includes(word)

/** The rank of a match by the field with the word: lower is better. Undefined for no match. */
function classOf({ title, keywords, description }: WireVideo, word: string): number | undefined {
  if (wordsOf(title).join() === word) return 0
  if (hasWord(title, word)) return 1
  if (keywords.some((keyword) => hasWord(keyword, word))) return 2
  return hasWord(description, word) ? 3 : undefined
}

/** Only the newest matches are ranked by relevance. */
const RANKED_MOST = 1_000

/** Best first among the newest, then the rest by date. */
function ranked(classIn: (video: WireVideo) => number): Pick<List<WireVideo>, 'arrange' | 'countMisplaced'> {
  const bestFirst: Compare<WireVideo> = (one, other) =>
    classIn(one) - classIn(other) || newestFirst(one, other)
  return {
    arrange: (rows) => {
      const byDate = rows.toSorted(newestFirst)
      return [...byDate.slice(0, RANKED_MOST).toSorted(bestFirst), ...byDate.slice(RANKED_MOST)]
    },
    countMisplaced: (rows) => {
      // The unranked rest begins where a better match follows. It is sorted by date, and older than all ranked ones.
      const end = rows.findIndex((row, at) => at > 0 && bestFirst(rows[at - 1]!, row) >= 0)
      if (end === -1) return 0
      const oldest = rows.slice(0, end).toSorted(newestFirst).at(-1)!
      return [oldest, ...rows.slice(end)].filter(
        (row, at, all) => at > 0 && newestFirst(all[at - 1]!, row) >= 0,
      ).length
    },
  }
}

const search = (name: string, body: object) => ({
  name: `search ${name}`,
  operation: operations.searchVideos,
  body,
  isSortedByUpdate: false,
})

const withWord = (word: string) => (video: WireVideo) => classOf(video, word) !== undefined
const byRelevance = (word: string) => ({ has: withWord(word), ...ranked((video) => classOf(video, word)!) })
const byDate = sortedBy({ field: 'date_published', order: 'DESC' })

/** Two letters swapped. */
const mistyped = (word: string) => `${word.slice(0, -2)}${word.at(-1)}${word.at(-2)}`

export const searchLists: readonly List<WireVideo>[] = [
  { ...search('of many by relevance', { query: MANY }), ...byRelevance(MANY) },
  { ...search('of few by relevance', { query: FEW }), ...byRelevance(FEW) },
  { ...search('of many, mistyped', { query: mistyped(MANY) }), ...byRelevance(MANY) },
  { ...search('of few, mistyped', { query: mistyped(FEW) }), ...byRelevance(FEW) },
  {
    ...search('of a phrase', { query: `"${PHRASE}"` }),
    has: ({ description }) => description.includes(PHRASE),
    ...ranked(() => 0),
  },
  {
    ...search('by relevance and length', { query: MANY, filter: { gte: { duration: 60 } } }),
    ...byRelevance(MANY),
    has: (video) => withWord(MANY)(video) && video.duration >= 60,
  },
  {
    ...search('of an excluded word', { query: `-${MANY}` }),
    ...byDate,
    has: (video) => !withWord(MANY)(video),
  },
  {
    ...search('of a label', { filter: { in: { audio_language: ['de'] } } }),
    ...byDate,
    has: ({ audio_language }) => audio_language === 'de',
  },
  {
    ...search('of a label, by title', {
      filter: { in: { audio_language: ['de', 'en'] } },
      sort: { field: 'title', order: 'ASC' },
    }),
    ...sortedBy({ field: 'title', order: 'ASC' }),
    has: ({ audio_language }) => audio_language !== null,
  },
  {
    ...search('of lengths', { filter: { or: [{ lt: { duration: 60 } }, { gt: { duration: 60 } }] } }),
    ...byDate,
    has: ({ duration }) => duration !== 60,
  },
  { ...search('of all', {}), ...byDate, has: () => true },
  {
    ...search('of many, mistyped, by title', {
      query: mistyped(MANY),
      sort: { field: 'title', order: 'DESC' },
    }),
    ...sortedBy({ field: 'title', order: 'DESC' }),
    has: withWord(MANY),
  },
  ...sortsOf(videoSortFields).map((sort) => ({
    ...search(`by ${sort.field}.${sort.order}`, { query: MANY, sort }),
    ...sortedBy(sort),
    has: withWord(MANY),
  })),
]
