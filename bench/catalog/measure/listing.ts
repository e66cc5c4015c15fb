import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Figures, median, round } from '@continuity/dev/figures'
import { requestsPerSecond } from '../../engine/load.ts'
import { printLoadScript } from '../../session/load-script.ts'
import { type PgbenchScript, transactionsPerSecond, writeScript } from '../client/pgbench.ts'
import { recordStatements } from '../client/record-statements.ts'
import { END_MS, START_MS } from '../generate/catalog-plan.ts'
import { BIG_ACCOUNT } from '../load/accounts.ts'
import { plainColumns } from '../load/plain-table.ts'
import { headersOf } from '../sessions.ts'
import { drawVideos } from './draw-videos.ts'
import { pageAfter } from './pages.ts'
import { measureInRounds, ratiosOf, type Subject } from './subject.ts'

const CLIENTS = 8
const PAGES = 4_000

/** A random page of 30, by HTTP, by pgbench from plain columns, and by pgbench with the server's statement. */
export async function measureListing(subject: Subject): Promise<Figures> {
  const { catalog, server, sessions, folder, secondsPerRound: seconds } = subject
  const starts = await drawVideos(catalog.ownerUrl, subject.videos, PAGES)
  const load = join(folder, 'listing.lua')
  await writeFile(load, printLoadScript(sessions, starts.map(pageAfter)))
  const plain = await writeScript(folder, 'plain-page', plainPage)
  const own = await writeOwnPage(subject, pageAfter(starts[0]!))
  const pgbench = (url: string, script: PgbenchScript) =>
    transactionsPerSecond({ binDir: catalog.binDir, url, script, clients: CLIENTS, seconds })

  const measured = await measureInRounds(subject, 'page of 30', {
    ours: () => requestsPerSecond(server, { path: '/', script: load }, { connections: CLIENTS, seconds }),
    plain: () => pgbench(catalog.ownerUrl, plain),
    own: () => pgbench(catalog.serviceUrl, own),
  })
  return {
    page_ratio: round(median(ratiosOf(measured.ours, measured.plain)), 3),
    page_requests_per_second: Math.round(median(measured.ours)),
    page_bare_per_second: Math.round(median(measured.plain)),
    page_own_sql_ratio: round(median(ratiosOf(measured.ours, measured.own)), 3),
    page_own_sql_per_second: Math.round(median(measured.own)),
  }
}

const HIGHEST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** A random time within the years of the catalog. */
const drawMoment = `\\set at random(${START_MS}, ${END_MS})`

const plainPage = [
  drawMoment,
  `select ${plainColumns} from bench_plain where account_id = '${BIG_ACCOUNT}' and (date_published, video_id) < (to_timestamp(:at / 1000.0), '${HIGHEST_ID}') order by date_published desc, video_id desc limit 30;`,
]

/** The server's statement for a page with its values, and a random position each time. */
async function writeOwnPage({ catalog, sessions, folder }: Subject, path: string): Promise<PgbenchScript> {
  const request = { method: 'GET', path, headers: headersOf(sessions[0]!) } as const
  const [recorded] = await recordStatements(catalog.serviceUrl, [request])
  const [statement] = recorded?.statements ?? []
  if (statement === undefined || recorded?.hits !== 30) throw new Error('expected a page of 30')
  const isTime = (value: unknown) => typeof value === 'number' && value >= START_MS && value < END_MS
  const names = statement.parameters.map((value, i) => (isTime(value) ? 'at' : `p${i}`))
  // In a text of JSON too, pgbench takes a colon before a word for a variable.
  const sql = statement.sql.replaceAll('":', '": ')
  const text = sql.replaceAll(/\$(\d+)/g, (_, n: string) => `:${names[Number(n) - 1]}`)
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
