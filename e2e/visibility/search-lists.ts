import { operations } from '@continuity/contract'
import { type List, sortedBy, sortsOf } from '../paging/lists.ts'
import { timeOf, videoSortFields, type WireVideo } from '../paging/record-order.ts'
import type { OpenCatalog } from './open-catalog.ts'
import { lookalikes, PHRASE, seriesWords, titleWords } from './open-catalog.ts'

/** A search, with the videos that it finds for a user who sees all. */
export type Search = Pick<List<WireVideo>, 'operation' | 'body' | 'has' | 'name'> & {
  /** Undefined where the records do not determine the order. */
  readonly arrange: List<WireVideo>['arrange'] | undefined
}

const hasWord = (text: string, word: string) => text.split(' ').includes(word)
const inTitle = (word: string) => (video: WireVideo) => hasWord(video.title, word)
const inText = (word: string) => (video: WireVideo) =>
  [video.title, video.description, ...video.keywords].some((text) => hasWord(text, word))

const search = (body: object, has: (video: WireVideo) => boolean): Search => ({
  name: `search ${JSON.stringify(body)}`,
  operation: operations.searchVideos,
  body,
  has,
  arrange: undefined,
})

const mistyped = (word: string) => word.slice(0, 4) + word.slice(5)

/** Every kind of search, at a time. */
export function searchesAt(catalog: OpenCatalog, nowMs: number): readonly Search[] {
  const { videos } = catalog
  const [one, other, third] = titleWords as [string, string, string]
  const seriesOf = (word: string) => catalog.series.find(({ title }) => title.includes(word))!.series_id
  const isOne = inText(one)
  const hidden = ['DRAFT', 'PROCESSING', 'DISABLED', 'ERROR']
  return [
    search({}, () => true),
    search({ query: lookalikes.mistyped }, inText(lookalikes.open)),
    ...titleWords.map((word) => search({ query: word }, inText(word))),
    search({ query: `${one} ${other}` }, (video) => isOne(video) && inText(other)(video)),
    search({ query: `"${one} ${other}"` }, ({ title }) => title === `${one} ${other}`),
    search({ query: `"${PHRASE}"` }, ({ description }) => description.includes(PHRASE)),
    search({ query: `-${one}` }, (video) => !isOne(video)),
    search({ query: `${one} -${other}` }, (video) => isOne(video) && !inText(other)(video)),
    search({ query: one, fields: ['title'] }, inTitle(one)),
    search({ query: one, fields: ['keywords'] }, ({ keywords }) => keywords.includes(one)),
    search({ query: one, fields: ['description'] }, () => false),
    search({ query: mistyped(third) }, inText(third)),
    search({ query: `${mistyped(third)} ${one}` }, (video) => inText(third)(video) && isOne(video)),
    ...seriesWords.map((word) => search({ query: word }, ({ series_id }) => series_id === seriesOf(word))),
    ...hidden.map((status) => search({ filter: { eq: { status } } }, (video) => video.status === status)),
    search({ filter: { in: { status: hidden } } }, ({ status }) => status !== 'READY'),
    search({ filter: { not: { eq: { status: 'READY' } } } }, ({ status }) => status !== 'READY'),
    search(
      { query: one, filter: { in: { status: hidden } } },
      (video) => isOne(video) && video.status !== 'READY',
    ),
    search({ filter: { gt: { date_available: 'now' } } }, (video) => timeOf(video.date_available, 0) > nowMs),
    search(
      { filter: { lte: { date_expired: 'now' } } },
      (video) => timeOf(video.date_expired, Infinity) <= nowMs,
    ),
    search({ filter: { in: { audio_language: ['de'] } } }, ({ audio_language }) => audio_language === 'de'),
    search({ filter: { gte: { duration: 1_000 } } }, ({ duration }) => duration >= 1_000),
    search({ filter: { in: { video_id: videos.slice(0, 500).map(({ video_id }) => video_id) } } }, (video) =>
      videos.slice(0, 500).includes(video),
    ),
    ...sortsOf(videoSortFields).flatMap((sort) => {
      const { arrange } = sortedBy(sort)
      return [
        { ...search({ query: one, sort }, isOne), arrange },
        { ...search({ filter: { gte: { duration: 0 } }, sort }, () => true), arrange },
      ]
    }),
  ]
}

/** The words that only one video has, as they are spelled and mistyped. */
export const searchesOfOne = ({ videoByWord }: OpenCatalog): readonly Search[] =>
  [...videoByWord].flatMap(([word, { video_id }]) => {
    const isIt = (video: WireVideo) => video.video_id === video_id
    // Mistyped, this one finds similar words.
    const spellings = word === lookalikes.hidden ? [word] : [word, mistyped(word)]
    return spellings.map((query) => search({ query }, isIt))
  })
