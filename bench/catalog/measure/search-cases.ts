import { seededRandom } from '@continuity/dev/seeded-random'
import pg from 'pg'
import type { SearchFilter } from '../../../packages/contract/src/schemas/search.ts'
import { END_MS } from '../generate/catalog-plan.ts'
import { BIG_ACCOUNT } from '../load/accounts.ts'
import { countMatches } from './count-matches.ts'
import { readSample, type Sample, type WordPair } from './word-sample.ts'

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
