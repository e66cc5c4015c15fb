import { parseQuery } from '@continuity/core/search/parse-query'
import { compileText } from '@continuity/core/search/search-terms'
import { seededRandom } from '@continuity/dev/seeded-random'
import pg from 'pg'
import type { SearchFilter } from '../../../packages/contract/src/schemas/search.ts'
import { END_MS } from '../generate/catalog-plan.ts'
import { BIG_ACCOUNT } from '../load/accounts.ts'

/** Searches of one kind with many different words, so that none is answered from another's cache. */
export interface SearchCase {
  readonly name: string
  readonly bodies: readonly { readonly query?: string; readonly filter?: SearchFilter }[]
  /** Median number of matches. */
  readonly matches: number
}

const VARIANTS = 20
const TRIED_MOST = 300
const NEAR = 0.2
const FILTER = 'filter'

/** Match counts below are for this many videos; a smaller catalog has proportionally fewer. */
const REFERENCE_VIDEOS = 1_000_000

interface Wanted {
  readonly name: string
  readonly matches: number
  readonly isPhrase: boolean
}

function wantedOf(videos: number): Wanted[] {
  const scale = Math.min(1, videos / REFERENCE_VIDEOS)
  const several = (name: string, matches: number) => ({ name, matches, isPhrase: false })
  return [
    several('rare', 100 * scale),
    several('middle', 10_000 * scale),
    several('frequent', 300_000 * scale),
    { name: 'phrase', matches: 10_000 * scale, isPhrase: true },
    // In a larger catalog the words of a frequent search match more.
    ...(videos > 1.5 * REFERENCE_VIDEOS ? [several('third', 0.3 * videos)] : []),
  ]
}

/** The names of the cases, apart from what is found in the data. */
export const searchNamesOf = (videos: number): readonly string[] => [
  ...wantedOf(videos).map(({ name }) => name),
  FILTER,
]

/** Searches whose number of matches in the data is close to the wanted one. */
export async function findSearchCases(ownerUrl: string, videos: number): Promise<SearchCase[]> {
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  try {
    const sample = await readSample(owner, videos)
    const cases: SearchCase[] = []
    for (const wanted of wantedOf(videos)) cases.push(await findCase(owner, sample, videos, wanted))
    return [...cases, await filterCase(owner)]
  } finally {
    await owner.end()
  }
}

async function findCase(
  owner: pg.Client,
  sample: Sample,
  videos: number,
  wanted: Wanted,
): Promise<SearchCase> {
  const candidates = wanted.isPhrase ? sample.phrases() : sample.pairs()
  const distance = ({ share }: WordPair) => Math.abs(Math.log((share * videos) / wanted.matches))
  const nearest = candidates.toSorted((a, b) => distance(a) - distance(b)).slice(0, TRIED_MOST)
  const found: { query: string; matches: number }[] = []
  for (const { words, share, isSure } of nearest) {
    if (found.length === VARIANTS) break
    const query = wanted.isPhrase ? `"${words.join(' ')}"` : words.join(' ')
    const matches = isSure ? share * videos : await countMatches(owner, query)
    if (Math.abs(matches / wanted.matches - 1) <= NEAR) found.push({ query, matches })
  }
  if (found.length === 0) throw new Error(`no words match about ${wanted.matches} videos`)
  return {
    name: wanted.name,
    bodies: found.map(({ query }) => ({ query })),
    matches: Math.round(found[found.length >> 1]!.matches),
  }
}

/** A channel's longer programs of a year, as a guide page requests them. */
async function filterCase(owner: pg.Client): Promise<SearchCase> {
  const { rows } = await owner.query<{ channel_id: string }>(
    'select distinct channel_id from bench_plain where account_id = $1 limit 50',
    [BIG_ACCOUNT],
  )
  const random = seededRandom(1)
  const filters = rows.flatMap(({ channel_id }) =>
    [1_200, 1_800].map((duration): SearchFilter => {
      const fromMs = END_MS - (1 + Math.floor(random() * 8)) * 365 * 86_400_000
      return {
        and: [
          { in: { channel_id: [channel_id] } },
          { gte: { date_published: new Date(fromMs).toISOString() } },
          { gte: { duration } },
        ],
      }
    }),
  )
  const { rows: counted } = await owner.query<{ matches: string }>(
    `select count(*) as matches from bench_plain where $2 = any(channel_ids) and account_id = $1
        and date_published >= to_timestamp($3 / 1000.0) and duration >= 1200`,
    [BIG_ACCOUNT, rows[0]?.channel_id, END_MS - 4 * 365 * 86_400_000],
  )
  return {
    name: FILTER,
    bodies: filters.map((filter) => ({ filter })),
    matches: Number(counted[0]?.matches),
  }
}

/** The exact number of videos of the big account that match a query. */
async function countMatches(owner: pg.Client, query: string): Promise<number> {
  const { terms, exact } = compileText(parseQuery(query), [])
  const { rows } = await owner.query<{ matches: string }>(
    `select count(*) as matches from search_tiers t
       join video_search v on v.terms @@ replace($2, '~', t.tier::text)::tsquery
      where t.account_id = $1 and v.account_id = $1 and ($3::text is null or v.words @@ $3::tsquery)`,
    [BIG_ACCOUNT, terms, exact],
  )
  return Number(rows[0]?.matches)
}

interface WordPair {
  readonly words: readonly [string, string]
  /** Estimated share of all videos. */
  readonly share: number
  /** Whether the sample has enough of them. */
  readonly isSure: boolean
}

/** The words of a sample of videos, to estimate matches in all of them. */
interface Sample {
  /** Words that occur in the same video. */
  pairs(): WordPair[]
  /** Adjacent words. */
  phrases(): WordPair[]
}

const SAMPLED = 30_000

/** Number of words whose pairs are counted: 180,000 pairs. */
const WORDS = 600

/** With so many, the sampling error is rarely more than a tenth. */
const SURE = 300

async function readSample(owner: pg.Client, videos: number): Promise<Sample> {
  const percent = Math.min(100, (SAMPLED * 100) / videos)
  const { rows } = await owner.query<{ words: string }>(
    `select words::text as words from video_search tablesample bernoulli (${percent}) repeatable (1)
      where account_id = '${BIG_ACCOUNT}'`,
  )
  const sampled = rows.map(({ words }) => readVector(words))
  return { pairs: () => countPairs(sampled), phrases: () => countPhrases(sampled) }
}

/** Each word with its positions. */
type WordPositions = ReadonlyMap<string, readonly number[]>

function readVector(text: string): WordPositions {
  const words = [...text.matchAll(/'([\p{L}\p{N}\p{M}]+)':(\S+)/gu)]
  return new Map(
    words.map(([, word, places]) => [word!, places!.split(',').map((place) => Number.parseInt(place, 10))]),
  )
}

function countPairs(sampled: readonly WordPositions[]): WordPair[] {
  const videosWith = new Map<string, number[]>()
  for (const [video, words] of sampled.entries()) {
    for (const word of words.keys()) {
      const list = videosWith.get(word)
      if (list === undefined) videosWith.set(word, [video])
      else list.push(video)
    }
  }
  const common = [...videosWith].toSorted(([, a], [, b]) => b.length - a.length).slice(0, 4 * WORDS)
  // The most common words, for frequent pairs, and some of the others, for rare ones.
  const chosen = common.filter((_, rank) => rank < WORDS / 2 || rank % 12 === 0).slice(0, WORDS)
  const bits = chosen.map(([, videos]) => bitsOf(videos, sampled.length))
  return chosen.flatMap(([word, videos], i) =>
    chosen.slice(0, i).map(([other, others], j): WordPair => {
      const both = countBoth(bits[i]!, bits[j]!)
      // For small counts the expected value from both words is the better estimate.
      const expected = (videos.length * others.length) / sampled.length
      const isSure = both >= SURE
      return { words: [word, other], share: (isSure ? both : expected) / sampled.length, isSure }
    }),
  )
}

function countPhrases(sampled: readonly WordPositions[]): WordPair[] {
  const counts = new Map<string, number>()
  for (const words of sampled) {
    const wordAt = new Map([...words].flatMap(([word, places]) => places.map((place) => [place, word])))
    const phrases = [...wordAt].map(([place, word]) => `${word} ${wordAt.get(place + 1) ?? ''}`)
    for (const phrase of new Set(phrases)) counts.set(phrase, (counts.get(phrase) ?? 0) + 1)
  }
  return [...counts].flatMap(([phrase, count]) => {
    const [word = '', other = ''] = phrase.split(' ')
    if (other === '' || word === other) return []
    return [{ words: [word, other] as const, share: count / sampled.length, isSure: count >= SURE }]
  })
}

function bitsOf(videos: readonly number[], count: number): Uint32Array {
  const bits = new Uint32Array(Math.ceil(count / 32))
  for (const video of videos) bits[video >> 5]! |= 1 << (video & 31)
  return bits
}

function countBoth(one: Uint32Array, other: Uint32Array): number {
  let count = 0
  for (let i = 0; i < one.length; i += 1) count += bitCount(one[i]! & other[i]!)
  return count
}

/** Hacker's Delight, figure 5-2. */
function bitCount(bits: number): number {
  const pairs = bits - ((bits >>> 1) & 0x55555555)
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
