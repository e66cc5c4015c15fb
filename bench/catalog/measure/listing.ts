import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Figures, median, round } from '../../../tools/figures/figures.ts'
import { requestsPerSecond } from '../../engine/load.ts'
import { printLoadScript } from '../../session/load-script.ts'
import { type PgbenchScript, transactionsPerSecond, writeScript } from '../ask/pgbench.ts'
import { recordStatements } from '../ask/record-statements.ts'
import { END_MS, START_MS } from '../generate/catalog-plan.ts'
import { BIG_ACCOUNT } from '../load/accounts.ts'
import { plainColumns } from '../load/plain-table.ts'
import { headersOf } from '../sessions.ts'
import { drawVideos } from './draw-videos.ts'
import { pageAfter } from './pages.ts'
import { ratiosOf, type Subject, takeInRounds } from './subject.ts'

const CLIENTS = 8
const PLACES = 4_000

/** A page of 30 from any place, by HTTP, by pgbench from plain columns, and by pgbench with the server's own statement. */
export async function measureListing(subject: Subject): Promise<Figures> {
  const { catalog, server, sessions, folder, secondsPerRound: seconds } = subject
  const starts = await drawVideos(catalog.ownerUrl, subject.videos, PLACES)
  const load = join(folder, 'listing.lua')
  await writeFile(load, printLoadScript(sessions, starts.map(pageAfter)))
  const plain = await writeScript(folder, 'plain-page', plainPage)
  const own = await writeOwnPage(subject, pageAfter(starts[0]!))
  const pgbench = (url: string, script: PgbenchScript) =>
    transactionsPerSecond({ binDir: catalog.binDir, url, script, clients: CLIENTS, seconds })

  const taken = await takeInRounds(subject, 'page of 30', {
    ours: () => requestsPerSecond(server, { path: '/', script: load }, { connections: CLIENTS, seconds }),
    plain: () => pgbench(catalog.ownerUrl, plain),
    own: () => pgbench(catalog.serviceUrl, own),
  })
  return {
    page_ratio: round(median(ratiosOf(taken.ours, taken.plain)), 3),
    page_requests_per_second: Math.round(median(taken.ours)),
    page_bare_per_second: Math.round(median(taken.plain)),
    page_own_sql_ratio: round(median(ratiosOf(taken.ours, taken.own)), 3),
    page_own_sql_per_second: Math.round(median(taken.own)),
  }
}

const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Every place is some moment of the years that the catalog spans. */
const drawMoment = `\\set at random(${START_MS}, ${END_MS})`

const plainPage = [
  drawMoment,
  `select ${plainColumns} from bench_plain where account_id = '${BIG_ACCOUNT}' and (date_published, video_id) < (to_timestamp(:at / 1000.0), '${HIGHEST_ID}') order by date_published desc, video_id desc limit 30;`,
]

/** What the server sends for a page, with its values as values, and the place drawn anew each time. */
async function writeOwnPage({ catalog, sessions, folder }: Subject, path: string): Promise<PgbenchScript> {
  const order = { method: 'GET', path, headers: headersOf(sessions[0]!) } as const
  const [recorded] = await recordStatements(catalog.serviceUrl, [order])
  const [statement] = recorded?.statements ?? []
  if (statement === undefined || recorded?.hits !== 30) throw new Error('a page of 30 was not answered')
  const isPlace = (value: unknown) => typeof value === 'number' && value >= START_MS && value < END_MS
  const names = statement.parameters.map((value, i) => (isPlace(value) ? 'at' : `p${i}`))
  const text = statement.sql.replaceAll(/\$(\d+)/g, (_, n: string) => `:${names[Number(n) - 1]}`)
  const values = names.map((name, i) => [name, String(statement.parameters[i])])
  const lines = [
    drawMoment,
    '\\startpipeline',
    `select set_config('app.account_id', '${BIG_ACCOUNT}', true);`,
    `${text.replaceAll(/\s+/g, ' ')};`,
    '\\endpipeline',
  ]
  return writeScript(folder, 'own-page', lines, Object.fromEntries(values))
}
