import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Figures, type Measured, round, type Targets } from '@continuity/dev/figures'
import { readResults } from '../../proofs/results.ts'
import type { Bench } from '../bench.ts'
import { allCores, startMeasuredServer } from '../engine/measured-server.ts'
import { accountsOf } from './load/accounts.ts'
import { openCatalog } from './load/open-catalog.ts'
import { measureDepth } from './measure/depth.ts'
import { measureListing } from './measure/listing.ts'
import { measureSearch } from './measure/search.ts'
import { searchNamesOf } from './measure/search-cases.ts'
import { measureSingleRead } from './measure/single-read.ts'
import type { Subject } from './measure/subject.ts'
import { catalogSessions } from './sessions.ts'

/** The catalog size that the targets apply to. */
const VIDEOS = 1_000_000

const script = join(import.meta.dirname, 'our-server.ts')

export const catalog: Bench = {
  name: 'catalog',
  title: 'Lists, reads and searches of a catalog against bare PostgreSQL',
  limits: {
    page_ratio:
      '0.74 ms of Node for a page of 48 kB, of which writing the body takes 0.17; pgbench sends rows and no JSON, on both cores. The target remains',
    read_ratio: '0.18 ms of Node for each request, against a bare statement. The target remains',
    search_rare_ratio:
      'the statement takes 7 ms, and 4 ms of HTTP and JSON weigh more beside it than beside longer ones. The target remains',
    search_middle_p95_ms:
      'each counted match, up to 10,001, is a visit to a row (1 to 3 µs). The target remains',
    search_frequent_p95_ms:
      'each counted match, up to 10,001, is a visit to a row (1 to 3 µs). The target remains',
    search_phrase_p95_ms:
      'a phrase with 10,000 matches reads 12,400 rows and their words. The target remains',
    search_filter_p95_ms:
      'each counted match, up to 10,001, is a visit to a row (1 to 3 µs). The target remains',
    search_rare_beside_writes_p95_growth:
      'writes of one account wait for each other, and searches share both cores with them. The target remains',
    search_frequent_beside_writes_p95_growth:
      'writes of one account wait for each other, and searches share both cores with them. The target remains',
    search_middle_p95_growth:
      'rows are further apart in a table five times as large: more cache misses for each visit. The target remains',
  },
  question:
    'A page of 30 videos and a single video by HTTP against pgbench, which reads the same rows from a table with a ' +
    'column for every field, without row-level security: requests against transactions a second, eight clients at ' +
    'once, all on the same cores. A deep page against the first. Searches by HTTP with two clients against the very ' +
    'statements that the server sends, by two connections; and again while 50 videos a second are made and changed. ' +
    'Rounds are interleaved, figures are medians of rounds.',
  async run({ videos = VIDEOS, keep, ...context }) {
    await using opened = new AsyncDisposableStack()
    const folder = await mkdtemp(join(tmpdir(), 'continuity-bench-'))
    opened.defer(() => rm(folder, { recursive: true, force: true }))
    const loaded = opened.use(await openCatalog({ videos, keep, log: context.log }))
    const options = { cores: allCores, env: { DATABASE_URL: loaded.serviceUrl } }
    const server = opened.use(await startMeasuredServer(script, join(folder, 'server.log'), options))
    const subject: Subject = {
      ...context,
      catalog: loaded,
      server,
      sessions: catalogSessions(),
      videos: accountsOf(videos)[0]!.videos,
      folder,
    }
    const figures = {
      videos,
      ...(await measureListing(subject)),
      ...(await measureDepth(subject)),
      ...(await measureSingleRead(subject)),
      ...(await measureSearch(subject)),
      rounds: context.rounds,
    }
    const growth = videos > VIDEOS ? growthOf(figures) : { figures: {}, targets: {} }
    return {
      figures: { ...figures, ...growth.figures },
      targets: { ...targetsOf(subject.videos), ...growth.targets },
    }
  },
}

function targetsOf(videos: number): Targets {
  return {
    page_ratio: { atLeast: 0.85 },
    deep_page_ratio: { atMost: 1.2 },
    read_ratio: { atLeast: 0.35 },
    ...Object.fromEntries(
      searchNamesOf(videos).flatMap((name) => [
        [`search_${name}_p95_ms`, { atMost: 50 }],
        [`search_${name}_ratio`, { atMost: 1.5 }],
      ]),
    ),
    searches_turned_away: { is: 0 },
    writes_answered: { atLeast: 1 },
    writes_failed: { is: 0 },
  }
}

const GROWTH_MOST = 1.5

/** The growth of all times against the result of a catalog of a million. */
function growthOf(figures: Figures): Measured {
  const smaller = new Map(
    Object.entries(readResults()['bench-catalog']?.figures ?? {}).map(([name, { figure }]) => [
      name,
      Number(figure),
    ]),
  )
  const times = Object.entries(figures).filter(
    ([name]) => /^(first|deep|search).*_p95_ms$/.test(name) && !name.includes('bare'),
  )
  const grown = times.map(([name, value]) => {
    // Words of a third of all videos correspond to the smaller catalog's frequent searches.
    const before = smaller.get(name.replace('search_third', 'search_frequent')) ?? Number.NaN
    return [name.replace(/_ms$/, '_growth'), round(Number(value) / before, 3)] as const
  })
  return {
    figures: Object.fromEntries(grown),
    targets: Object.fromEntries(grown.map(([name]) => [name, { atMost: GROWTH_MOST }])),
  }
}
