import { isDeepStrictEqual } from 'node:util'
import { operations } from '@continuity/contract'
import { createVideo } from '../../packages/server/src/modules/catalog/videos/create-video.ts'
import { type Database, openDatabase } from '../../packages/server/src/platform/database/database.ts'
import { createLog } from '../../packages/server/src/platform/log/logger.ts'
import { forEachAtOnce } from '../access/call.ts'
import { done } from '../access/session.ts'
import type { CatalogAccount, CatalogSystem } from '../paging/catalog-system.ts'
import { pick, type Random } from '../paging/drafts.ts'
import {
  timeOf,
  type WireBrand,
  type WirePlaylist,
  type WireSeries,
  type WireVideo,
} from '../paging/record-order.ts'

/** A catalog as an admin reads it. It is not changed after it was created. */
export interface OpenCatalog {
  /** Videos that do not read as they were written: the model would be wrong with them. */
  readonly misread: readonly string[]
  readonly videos: readonly WireVideo[]
  readonly series: readonly WireSeries[]
  readonly playlists: readonly { readonly playlist: WirePlaylist; readonly videoIds: readonly string[] }[]
  readonly brands: readonly WireBrand[]
  /** Videos by a word that no other video has. */
  readonly videoByWord: ReadonlyMap<string, WireVideo>
}

/** Whether a video is public at a time. */
export const isVisibleAt = (video: WireVideo, nowMs: number): boolean =>
  video.status === 'READY' &&
  timeOf(video.date_available, -Infinity) <= nowMs &&
  nowMs < timeOf(video.date_expired, Infinity)

/** Words of titles; no two are similar. */
export const titleWords = [
  'glacier',
  'monsoon',
  'cobalt',
  'trumpet',
  'velvet',
  'orchid',
  'bishop',
  'kerosene',
]
/** Of the titles of public series. */
export const seriesWords = ['zeppelin', 'quarry', 'juniper']
export const PHRASE = 'morning tide'

/**
 * A word of several public videos, a similar word of a hidden video, and a
 * misspelling that is similar to both.
 */
export const lookalikes = { open: 'quillfeatherxy', hidden: 'quillfeatherxz', mistyped: 'quillfeatherxq' }
const OPEN_LOOKALIKES = 9

export interface CatalogSize {
  readonly videos: number
  /** Times at which videos become available or expire. */
  readonly moments: readonly number[]
}

export async function makeOpenCatalog(
  { system, api }: CatalogSystem,
  { accountId, admin: headers }: CatalogAccount,
  random: Random,
  { videos: count, moments }: CatalogSize,
): Promise<OpenCatalog> {
  const make = <R>(e: (typeof operations)[keyof typeof operations], body: object) =>
    done<R>(api, e, { headers, body })
  const brands = [
    await make<WireBrand>(operations.createBrand, { brand_id: 'north', name: 'North' }),
    await make<WireBrand>(operations.createBrand, { brand_id: 'south', name: 'South' }),
  ]
  const drafts = [
    ...seriesWords.map((word) => ({ title: `The ${word}`, status: 'READY' })),
    { title: 'Nothing to see', status: 'DISABLED' },
  ]
  const seriesIds: string[] = []
  for (const draft of drafts) {
    seriesIds.push((await make<WireSeries>(operations.createSeries, draft)).series_id)
  }

  await using opened = new AsyncDisposableStack()
  const database = openService(system.databaseUrl, opened)
  const ids: string[] = []
  const written = new Map<string, Draft & { readonly status: string }>()
  const planned = [
    ...uniqueWords(random, count).map((word) => ({ word, status: pick(random, statuses), more: {} })),
    ...Array.from({ length: OPEN_LOOKALIKES }, () => ({ ...always, word: lookalikes.open })),
    { ...always, word: lookalikes.hidden, status: 'DRAFT' as const },
  ]
  await forEachAtOnce(planned, async ({ word, status, more }) => {
    const draft = { ...videoDraft(random, { word, seriesIds, moments }), ...more }
    const post = async (body: object) => (await make<WireVideo>(operations.createVideo, body)).video_id
    const id = await makeVideo({ database, accountId, status }, draft, post)
    ids.push(id)
    written.set(id, { ...draft, status })
  })

  const read = <R>(e: (typeof operations)[keyof typeof operations], params: Record<string, string>) =>
    done<R>(api, e, { headers, params })
  const playlists: { playlist: WirePlaylist; videoIds: readonly string[] }[] = []
  for (const status of ['READY', 'READY', 'DISABLED']) {
    const { playlist_id } = await make<WirePlaylist>(operations.createPlaylist, { title: 'List', status })
    const videoIds = ids.filter(() => random() < 0.5).toSorted(() => random() - 0.5)
    const body = { video_ids: videoIds }
    const playlist = await done<WirePlaylist>(api, operations.setPlaylistVideos, {
      headers,
      params: { playlist_id },
      body,
    })
    playlists.push({ playlist, videoIds })
  }
  const videos: WireVideo[] = []
  for (const video_id of ids) videos.push(await read(operations.getVideo, { video_id }))
  const misread = videos.filter((video) => !isAsWritten(video, written.get(video.video_id)!))
  const series: WireSeries[] = []
  for (const series_id of seriesIds) series.push(await read(operations.getSeries, { series_id }))
  const videoByWord = new Map(videos.map((video) => [video.description.split(' ')[0]!, video]))
  videoByWord.delete(lookalikes.open)
  return { misread: misread.map(({ video_id }) => video_id), videos, series, playlists, brands, videoByWord }
}

const always = { status: 'READY', more: { date_available: null, date_expired: null } } as const

const statuses = [
  ...(['READY', 'READY', 'READY', 'READY', 'READY', 'READY'] as const),
  ...(['DRAFT', 'PROCESSING', 'DISABLED', 'ERROR'] as const),
]

type Draft = ReturnType<typeof videoDraft>

function isAsWritten(video: WireVideo, draft: Draft & { readonly status: string }): boolean {
  return Object.entries(draft).every(([name, value]) =>
    isDeepStrictEqual(video[name as keyof WireVideo], value),
  )
}

/** By a request, except for statuses that only the platform sets. */
async function makeVideo(
  {
    database,
    accountId,
    status,
  }: { database: Database; accountId: string; status: (typeof statuses)[number] },
  draft: Draft,
  post: (body: object) => Promise<string>,
): Promise<string> {
  if (status !== 'PROCESSING' && status !== 'ERROR') return post({ ...draft, status })
  const actor = { accountId, userId: null, requestId: null, nowMs: Date.now() }
  const { videoId } = await database
    .forAccount(accountId)
    .transaction()
    .execute((tx) => createVideo(tx, actor, { ...draft, status }))
  return videoId
}

function openService(url: string, opened: AsyncDisposableStack): Database {
  const { logger } = createLog({ level: 'error', process: 'proof', instance: 'visibility' })
  // One for each request that is sent at once.
  const database = openDatabase(url, { connections: 8, logger, patience: 8 })
  opened.defer(() => database.close())
  return database
}

interface DraftOptions {
  readonly word: string
  readonly seriesIds: readonly string[]
  readonly moments: readonly number[]
}

function videoDraft(random: Random, { word, seriesIds, moments }: DraftOptions) {
  const edges = moments.flatMap((atMs) => [atMs - 1, atMs, atMs, atMs + 1]).map(dateOf)
  const [past, future] = [dateOf(moments[0]! - 86_400_000), dateOf(moments.at(-1)! + 86_400_000)]
  return {
    title: `${pick(random, titleWords)} ${pick(random, titleWords)}`,
    keywords: random() < 0.3 ? [pick(random, titleWords)] : [],
    description: random() < 0.3 ? `${word} in the ${PHRASE}` : word,
    duration: pick(random, [60, 60, 1_440]),
    series_id: pick(random, [null, ...seriesIds]),
    season_number: pick(random, [null, 1, 2, 3, 4]),
    episode_number: pick(random, [null, 1, 2, 3]),
    brand_id: pick(random, [null, 'north', 'south']),
    audio_language: pick(random, [null, 'de', 'en']),
    date_published: pick(random, [null, past, ...edges]),
    date_available: mostly(random, [null, past], [future, ...edges]),
    date_expired: mostly(random, [null, future], [past, ...edges]),
  }
}

/** Half of the values are of `open`, so that many videos are public at any time. */
const mostly = <T>(random: Random, open: readonly T[], others: readonly T[]): T =>
  pick(random, random() < 0.5 ? open : others)

const dateOf = (atMs: number) => new Date(atMs).toISOString()

/**
 * Random words of this length are not similar to each other, and without vowels
 * they are not similar to a word of a title ("velvelkkkxmaf" is found as "velvet").
 */
const WORD_LETTERS = 14
export const UNIQUE_WORD = new RegExp(`\\b[a-z]{${WORD_LETTERS}}\\b`, 'g')

function uniqueWords(random: Random, count: number): readonly string[] {
  const letters = [...'bcdfghjklmnpqrstvwxz']
  return Array.from({ length: count }, () =>
    Array.from({ length: WORD_LETTERS }, () => pick(random, letters)).join(''),
  )
}
