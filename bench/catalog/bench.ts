import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Figures, Targets } from '../../tools/figures/figures.ts'
import type { Bench } from '../bench.ts'
import { allCores, startMeasuredServer } from '../engine/measured-server.ts'
import { growthOf, readSmallerProof } from './growth.ts'
import { accountsOf } from './load/accounts.ts'
import { openCatalog } from './load/open-catalog.ts'
import { measureDepth } from './measure/depth.ts'
import { measureListing } from './measure/listing.ts'
import { measureSearch } from './measure/search.ts'
import { measureSingleRead } from './measure/single-read.ts'
import type { Subject } from './measure/subject.ts'
import { catalogSessions } from './sessions.ts'

/** What the targets are said of. */
const VIDEOS = 1_000_000

const script = join(import.meta.dirname, 'our-server.ts')

export const catalog: Bench = {
  name: 'catalog',
  title: 'Lists, reads and searches of a catalog against bare PostgreSQL',
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
    const loaded = opened.use(await openCatalog({ videos, keep, say: context.say }))
    const place = { cores: allCores, env: { DATABASE_URL: loaded.serviceUrl } }
    const server = opened.use(await startMeasuredServer(script, join(folder, 'server.log'), place))
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
    const growth = videos > VIDEOS ? growthOf(figures, readSmallerProof()) : { figures: {}, targets: {} }
    return {
      figures: { ...figures, ...growth.figures },
      targets: { ...targetsOf(figures), ...growth.targets },
    }
  },
}

function targetsOf(figures: Figures): Targets {
  const searches = Object.keys(figures).flatMap((name) => /^search_[a-z]+(?=_matches$)/.exec(name) ?? [])
  return {
    page_ratio: { atLeast: 0.85 },
    deep_page_ratio: { atMost: 1.2 },
    read_ratio: { atLeast: 0.35 },
    ...Object.fromEntries(
      searches.flatMap((name) => [
        [`${name}_p95_ms`, { atMost: 50 }],
        [`${name}_ratio`, { atMost: 1.5 }],
      ]),
    ),
    searches_turned_away: { is: 0 },
    writes_failed: { is: 0 },
  }
}
