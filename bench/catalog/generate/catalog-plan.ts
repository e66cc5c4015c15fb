import { seededRandom } from '@continuity/dev/seeded-random'
import { makeId, mixSeed } from './make-id.ts'
import { type Language, languages, type Vocabulary } from './vocabulary.ts'

/** Increased when the same seed gives another catalog, which invalidates kept ones. */
export const GENERATOR_VERSION = 1

/** A constant, so that a kept catalog equals a newly generated one. */
export const END_MS = Date.UTC(2026, 10, 1)
const YEARS_MS = 10 * 365.25 * 86_400_000
export const START_MS = END_MS - YEARS_MS

export const CHANNELS = 50
export const BRANDS = 200

const EPISODES_SHARE = 0.6
const SERIES_MOST = 2_000

export interface PlannedSeries {
  readonly seriesId: string
  readonly language: Language
  /** Ranks of the words of its title, and of words that its episodes use more often. */
  readonly title: readonly number[]
  readonly topic: readonly number[]
  readonly isTitleShown: boolean
  readonly brandId: string
  readonly videos: number
  readonly perSeason: number
  readonly createdMs: number
}

/** The parts of an account's catalog on which its videos depend. */
export interface CatalogPlan {
  readonly seed: number
  readonly accountId: string
  readonly videos: number
  readonly channelIds: readonly string[]
  readonly series: readonly PlannedSeries[]
  /** By a video's index in the order of date_published: its series, or -1, and its number in the series. */
  readonly seriesOf: Int32Array
  readonly episodeOf: Int32Array
}

export function planCatalog(
  vocabulary: Vocabulary,
  { seed, accountId, videos }: Pick<CatalogPlan, 'seed' | 'accountId' | 'videos'>,
): CatalogPlan {
  const random = seededRandom(mixSeed(seed, 1))
  const series = planSeries(vocabulary, random, Math.floor(videos * EPISODES_SHARE))
  const channelIds = Array.from({ length: CHANNELS }, () => makeId(START_MS, random))
  return { seed, accountId, videos, channelIds, series, ...placeEpisodes(series, videos, random) }
}

export const brandIdOf = (n: number) => `brand-${n}`

/** Sizes have a heavy tail: most series are short, most episodes belong to long ones. */
function planSeries(vocabulary: Vocabulary, random: () => number, episodes: number): PlannedSeries[] {
  const planned: PlannedSeries[] = []
  for (let left = episodes; left > 0; ) {
    const size = Math.min(left, SERIES_MOST, Math.floor(3 / (1 - random()) ** 1.1) - 2)
    planned.push(planOne(vocabulary, random, size))
    left -= size
  }
  return planned
}

function planOne(vocabulary: Vocabulary, random: () => number, videos: number): PlannedSeries {
  // Names do not use the most common words.
  const rank = () => Math.min(vocabulary.words.length - 1, vocabulary.pick(random) + 20)
  const ranks = (count: number) => Array.from({ length: count }, rank)
  const createdMs = Math.floor(START_MS + random() * YEARS_MS)
  return {
    seriesId: makeId(createdMs, random),
    language: languages[Math.floor(random() * languages.length)]!,
    title: ranks(1 + Math.floor(random() * 3)),
    topic: ranks(30),
    isTitleShown: random() < 0.5,
    brandId: brandIdOf(Math.floor(random() ** 3 * BRANDS)),
    videos,
    perSeason: 6 + Math.floor(random() * 20),
    createdMs,
  }
}

/** Episodes are about equally spaced; if an index is taken, the next free one is used. */
function placeEpisodes(series: readonly PlannedSeries[], videos: number, random: () => number) {
  const seriesOf = new Int32Array(videos).fill(-1)
  const episodeOf = new Int32Array(videos)
  for (const [index, { videos: size }] of series.entries()) {
    const distance = 1 + Math.floor((random() * videos) / size)
    const room = Math.max(1, videos - distance * size)
    let at = Math.floor(random() * room)
    for (let episode = 0; episode < size; episode += 1) {
      at %= videos
      while (seriesOf[at] !== -1) at = (at + 1) % videos
      seriesOf[at] = index
      episodeOf[at] = episode
      at += distance
    }
  }
  return { seriesOf, episodeOf }
}
