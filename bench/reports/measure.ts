import { type ChildProcess, execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import http from 'node:http'
import { join } from 'node:path'
import { type Figures, median, round } from '@continuity/dev/figures'
import { startTestPostgres, withDatabase } from '@continuity/dev/test-postgres'
import pg from 'pg'
import { analytics } from '../../packages/server/src/modules/reports/audience-reports.ts'
import { newId } from '../../packages/server/src/platform/crypto/ids.ts'
import { SNAPSHOT_SETTINGS } from '../../packages/server/src/platform/database/copy-out.ts'
import { addAccounts } from '../../packages/server/src/platform/testing/an-account.ts'
import type { BenchContext } from '../bench.ts'
import { benchSessions } from '../session/sessions.ts'

export interface ReportSizes {
  /** Of the report: channels, each with distributors and videos in every hour of the day. */
  readonly channels: number
  readonly distributors: number
  readonly videosOfAnHour: number
  readonly videos: number
  /** Days besides the one that is read, each with a twentieth of its rows. */
  readonly otherDays: number
}

const DAY = '2026-03-01'
const DAY_MS = 86_400_000
const FROM_MS = Date.parse(`${DAY}T00:00:00Z`)

/**
 * Rows per second of the report of minutes by video, read over HTTP by another process, against `psql` that copies the rows
 * of the same statement; the memory growth of the process meanwhile; and a day's report with one day of data and with many.
 */
export async function measureReports(sizes: ReportSizes, { rounds, log }: BenchContext): Promise<Figures> {
  await using server = await startTestPostgres()
  const owner = new pg.Client({ connectionString: server.templateUrl })
  await owner.connect()
  const accountId = newId(0)
  await addAccounts(server.templateUrl, { bench: accountId })
  const database = new URL(server.templateUrl).pathname.slice(1)
  const serviceUrl = withDatabase(server.serviceUrl, database)
  await loadCatalog(owner, accountId, sizes)
  const rows = await loadDay(owner, accountId, FROM_MS, sizes)
  await owner.query('analyze')
  log(`${rows} rows`)
  const child = fork(join(import.meta.dirname, 'report-server.ts'), [serviceUrl])
  try {
    const [{ origin }] = (await once(child, 'message')) as [{ origin: string }]
    const { token, deviceId } = benchSessions(Date.now(), { accountId, roles: ['SCHEDULE'] })[0]!
    const headers = { 'x-service-auth': token, 'x-service-deviceid': deviceId }
    const read = (accept: string, path = 'analytics') =>
      readReport(`${origin}/api/2.3/reports/${path}`, { ...headers, accept })
    const report = analytics('hour', false)
    const statement = `select ${report.columns.map(({ sql }) => sql).join(', ')} ${report.fromOf(accountId, FROM_MS)}`
    await read('text/csv', 'analytics/channels')
    const baseBytes = await highestOf(child)
    const ratios = { csv: [] as number[], json: [] as number[], ndjson: [] as number[] }
    const firstMs: number[] = []
    const bareRates: number[] = []
    let [grownBytes, isSame] = [0, true]
    for (let at = 0; at < rounds; at += 1) {
      const bareMs = await timeBare(serviceUrl, accountId, statement)
      bareRates.push(rows / (bareMs / 1_000))
      for (const [format, accept] of [
        ['csv', 'text/csv'],
        ['json', 'application/json'],
        ['ndjson', 'application/x-ndjson'],
      ] as const) {
        const result = await read(accept)
        isSame &&= result.lines >= rows
        ratios[format].push(bareMs / result.totalMs)
        firstMs.push(result.firstMs)
        grownBytes = Math.max(grownBytes, (await highestOf(child)) - baseBytes)
        log(`round ${at}: ${format} ${Math.round(result.totalMs)} ms, bare ${Math.round(bareMs)} ms`)
      }
    }
    if (!isSame) throw new Error('a report has fewer rows than there are')
    const alone = await timeDay(read, rounds)
    for (let day = 1; day <= sizes.otherDays; day += 1)
      await loadDay(owner, accountId, FROM_MS - day * DAY_MS, {
        ...sizes,
        channels: Math.ceil(sizes.channels / 20),
      })
    await owner.query('analyze')
    const beside = await timeDay(read, rounds)
    return {
      rows,
      bare_copy_rows_per_second: Math.round(median(bareRates)),
      csv_ratio: round(median(ratios.csv), 2),
      json_ratio: round(median(ratios.json), 2),
      ndjson_ratio: round(median(ratios.ndjson), 2),
      first_byte_ms: Math.round(Math.max(...firstMs)),
      memory_grown_mb: Math.round(grownBytes / 2 ** 20),
      day_beside_others_ratio: round(beside / alone, 2),
    }
  } finally {
    child.disconnect()
    await owner.end()
  }
}

async function loadCatalog(
  owner: pg.Client,
  accountId: string,
  { channels, videos }: ReportSizes,
): Promise<void> {
  await owner.query(
    `insert into series (account_id, series_id, title, title_order, description, images, status, created_ms, updated_ms)
     select $1, ('00000000-0000-7000-8001-' || lpad(to_hex(n), 12, '0'))::uuid, 'Series ' || n, n, '', '[]', 'READY', 0, 0
       from generate_series(0, $2::int / 20) n`,
    [accountId, videos],
  )
  await owner.query(
    `insert into videos (account_id, video_id, published_ms, available_ms, expired_ms, updated_ms, duration, season_order, episode_order,
                         document, status, title, title_order, video_source_id, series_id, channel_ids, genres, sub_genres, keywords)
     select $1, ('00000000-0000-7000-8002-' || lpad(to_hex(n), 12, '0'))::uuid, 0, 0, 0, 0, 60, 1, 1,
            '{"description":"What happens in \\"' || n || '\\", described in a sentence of some length"', 'READY',
            'Episode ' || n || ', "The Tide Table"', n, 'HN-' || n,
            ('00000000-0000-7000-8001-' || lpad(to_hex(n / 20), 12, '0'))::uuid, '{}', '{}', '{}', '{}'
       from generate_series(0, $2::int - 1) n`,
    [accountId, videos],
  )
  await owner.query(
    `insert into linear_channels (account_id, linear_channel_id, title, title_folded, description, internal_title, status,
                                  override_status, created_ms, updated_ms)
     select $1, ('00000000-0000-7000-8003-' || lpad(to_hex(n), 12, '0'))::uuid, 'Channel ' || n, n, '', '', 'OFFLINE', 'SCHEDULED', 0, 0
       from generate_series(0, $2::int - 1) n`,
    [accountId, channels],
  )
}

async function loadDay(
  owner: pg.Client,
  accountId: string,
  dayMs: number,
  sizes: ReportSizes,
): Promise<number> {
  await owner.query('select make_audience_day($1)', [dayMs / DAY_MS])
  const { rowCount } = await owner.query(
    `insert into audience_hours
     select $1, $2::bigint + h * 3600000, ('00000000-0000-7000-8003-' || lpad(to_hex(c), 12, '0'))::uuid, 'distributor-' || d, 'DE',
            ($2::bigint + h * 3600000) * 90 + s, 'VIDEO', null, 0,
            ('00000000-0000-7000-8002-' || lpad(to_hex((c * 7 + h * $5::int + s) % $6::int), 12, '0'))::uuid, 0, 0, 61234 + s, 1
       from generate_series(0, 23) h, generate_series(0, $3::int - 1) c, generate_series(1, $4::int) d,
            generate_series(0, $5::int - 1) s`,
    [accountId, dayMs, sizes.channels, sizes.distributors, sizes.videosOfAnHour, sizes.videos],
  )
  return rowCount ?? 0
}

interface ReadReport {
  readonly totalMs: number
  readonly firstMs: number
  readonly lines: number
}

async function readReport(url: string, headers: Readonly<Record<string, string>>): Promise<ReadReport> {
  const startMs = performance.now()
  const request = http.get(`${url}?from=${DAY}&to=${DAY}`, { headers })
  const [response] = (await once(request, 'response')) as [http.IncomingMessage]
  if (response.statusCode !== 200) throw new Error(`${url} answered ${response.statusCode}`)
  let [lines, firstMs] = [0, 0]
  for await (const chunk of response) {
    firstMs ||= performance.now() - startMs
    const bytes = chunk as Buffer
    for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines += 1
  }
  return { totalMs: performance.now() - startMs, firstMs, lines }
}

async function timeDay(read: (accept: string) => Promise<ReadReport>, rounds: number): Promise<number> {
  const times: number[] = []
  for (let at = 0; at < rounds; at += 1) times.push((await read('text/csv')).totalMs)
  return median(times)
}

/** The time of another process that copies the same rows, by the same plan, and discards them. */
async function timeBare(url: string, accountId: string, statement: string): Promise<number> {
  const text = `${SNAPSHOT_SETTINGS}; begin isolation level repeatable read read only; set local app.account_id = '${accountId}';
    copy (${statement}) to stdout (format csv)`
  const startMs = performance.now()
  await new Promise<void>((resolve, reject) => {
    execFile('bash', ['-c', 'exec psql -q -X "$0" -c "$1" > /dev/null', url, text], (error) =>
      error === null ? resolve() : reject(error),
    )
  })
  return performance.now() - startMs
}

async function highestOf(child: ChildProcess): Promise<number> {
  child.send('highest')
  const [{ highest }] = (await once(child, 'message')) as [{ highest: number }]
  return highest
}
