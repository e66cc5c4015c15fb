import assert from 'node:assert/strict'
import { once } from 'node:events'
import http from 'node:http'
import { connect } from 'node:net'
import { after, test } from 'node:test'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { operations } from '@continuity/contract'
import pg from 'pg'
import { compileCheck } from '../../http/schema-validator.ts'
import { assertProblem } from '../../http/testing/wire.ts'
import { SNAPSHOT_SETTINGS } from '../../platform/database/copy-out.ts'
import { audienceRoutes } from '../audience/routes.ts'
import { aScheduleApi, type ScheduleAccount } from '../schedule/testing/a-schedule-api.ts'
import { analytics } from './audience-reports.ts'
import { printedRows } from './report-columns.ts'
import { reportRoutes } from './routes.ts'

const system = await aScheduleApi((deps) => ({
  ...reportRoutes(deps),
  ...audienceRoutes({ ...deps, viewingKey: '' }),
}))
const { api, anAccount, ownerUrl } = system
const owner = new pg.Client({ connectionString: ownerUrl })
await owner.connect()
after(() => owner.end())
const DAY = '2026-02-27'

interface Watched {
  readonly at: string
  readonly channelId: string
  readonly distributor?: string
  readonly country?: string
  readonly type?: string
  readonly videoId?: string
  readonly programId?: string
  readonly ms?: readonly [v2: number, v1: number, heartbeat: number]
  readonly starts?: number
}

/** Sums as a worker has added them: a row by minute, and those of an hour together. */
async function addWatched({ accountId }: ScheduleAccount, rows: readonly Watched[]): Promise<void> {
  let span = 1
  for (const row of rows) {
    const atMs = Date.parse(row.at)
    await owner.query('select make_audience_day($1)', [Math.floor(atMs / 86_400_000)])
    const { distributor = 'direct', country = 'DE', type = 'VIDEO', ms = [0, 0, 60_000], starts = 0 } = row
    span += 1
    const values = [type, row.programId ?? null, row.videoId ?? null, ...ms, starts]
    const columns = 'type, program_id, component, reference_id, cmcd_v2_ms, cmcd_v1_ms, heartbeat_ms, starts'
    await owner.query(
      `insert into audience_hours (account_id, hour_ms, linear_channel_id, distributor, country, span_ticks, ${columns})
       values ($1, $2, $3, $4, $5, $6, $7, $8, 0, $9, $10, $11, $12, $13)`,
      [
        accountId,
        Math.floor(atMs / 3_600_000) * 3_600_000,
        row.channelId,
        distributor,
        country,
        span,
        ...values,
      ],
    )
    await owner.query(
      `insert into audience_minutes (account_id, minute_ms, linear_channel_id, distributor, span_ticks, ${columns})
       values ($1, $2, $3, $4, $5, $6, $7, 0, $8, $9, $10, $11, $12)`,
      [accountId, Math.floor(atMs / 60_000) * 60_000, row.channelId, distributor, span, ...values],
    )
  }
}

/** As a user with the role of reports. */
const get = async ({ accountId }: ScheduleAccount, path: string, headers: Record<string, string> = {}) =>
  fetch(`${await api.listen()}/api/2.3${path}`, {
    headers: { ...api.userOf(accountId, ['SCHEDULE']).credential, 'accept-encoding': 'identity', ...headers },
  })

async function read(account: ScheduleAccount, path: string, accept = 'application/json') {
  const answer = await get(account, path, { accept })
  const body = await answer.text()
  assert.equal(answer.status, 200, body)
  const json = () =>
    JSON.parse(body) as {
      readonly rows: readonly Record<string, unknown>[]
      readonly minutes_by_method?: object
    }
  return { body, json, headers: answer.headers }
}

/** With its trailers, which `fetch` does not give. */
async function rawAnswer({ accountId }: ScheduleAccount, path: string, encoding: string) {
  const request = http.get(`${await api.listen()}/api/2.3${path}`, {
    headers: {
      ...api.userOf(accountId, ['SCHEDULE']).credential,
      'accept-encoding': encoding,
      accept: 'text/csv',
    },
  })
  const [response] = (await once(request, 'response')) as [http.IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  return { headers: response.headers, trailers: response.trailers, bytes: Buffer.concat(chunks) }
}

async function post<T>({ admin }: ScheduleAccount, path: string, body: object): Promise<T> {
  const answer = await admin.post<T>(path, body)
  assert.ok(answer.statusCode < 300, answer.body)
  return answer.json()
}

const TITLE = 'Der „Kapitän", 3\\4 \t of it,\nor: \u007f it 🚢'

/** Two videos: one with every field, one with only its title. */
async function aCatalog(account: ScheduleAccount) {
  const brand = { brand_id: 'north-tv' }
  await post(account, '/api/2.1/brands', { ...brand, name: 'North "TV"' })
  const series = await post<{ series_id: string }>(account, '/api/2.1/series', { title: 'Harbour, Nights' })
  const full = await post<{ video_id: string }>(account, '/api/2.1/videos', {
    title: TITLE,
    duration: 60,
    description: 'A ferry is late;\r\nno "why" is given.',
    brand_id: brand.brand_id,
    series_id: series.series_id,
    season_number: 4,
    episode_number: 12,
    video_source_id: 'HN-0412',
  })
  const bare = await post<{ video_id: string }>(account, '/api/2.1/videos', { title: 'Plain', duration: 60 })
  return { full: full.video_id, bare: bare.video_id }
}

const fullColumns = (videoId: string) => ({
  brand_name: 'North "TV"',
  series_name: 'Harbour, Nights',
  video_id: videoId,
  video_title: TITLE,
  video_description: 'A ferry is late;\r\nno "why" is given.',
  external_video_id: 'HN-0412',
})
const bareColumns = (videoId: string) => ({
  brand_name: null,
  series_name: null,
  video_id: videoId,
  video_title: 'Plain',
  video_description: '',
  external_video_id: null,
})

test('minutes by video: summed in milliseconds, rounded once, by hour, minute and country', async () => {
  const account = await anAccount()
  const { channelId } = account
  const { full, bare } = await aCatalog(account)
  await addWatched(account, [
    { at: `${DAY}T00:00:59.999Z`, channelId, videoId: full, ms: [20, 9, 1] },
    { at: `${DAY}T00:30:00Z`, channelId, videoId: full, ms: [0, 0, 30] },
    { at: `${DAY}T00:31:00Z`, channelId, videoId: full, country: 'US', ms: [60_000, 0, 0] },
    { at: `${DAY}T00:31:00Z`, channelId, videoId: bare, distributor: 'a "cdn", x', ms: [0, 30_000, 0] },
    { at: `${DAY}T23:59:00Z`, channelId, videoId: bare, ms: [0, 0, 1_234_567] },
    // Not of this report: another type, nothing watched, the days before and after.
    { at: `${DAY}T05:00:00Z`, channelId, type: 'AD_POD' },
    { at: `${DAY}T06:00:00Z`, channelId, videoId: bare, ms: [0, 0, 0], starts: 1 },
    { at: '2026-02-26T23:59:59.999Z', channelId, videoId: bare },
    { at: '2026-02-28T00:00:00Z', channelId, videoId: bare },
  ])
  const channel = { linear_channel_id: channelId, linear_channel_name: 'One' }
  const at = (time: string) => `${DAY}T${time}:00.000Z`
  const range = `from=${DAY}&to=${DAY}`

  const hours = await read(account, `/reports/analytics?${range}`)
  const countries = await read(account, `/reports/analytics?${range}&include_countries=true`)
  const minutes = await read(account, `/reports/analytics?${range}&time_frame=minute&include_countries=true`)

  const body = hours.json()
  assert.deepEqual(compileCheck(operations.reportAnalytics.answer.schema)(body), [])
  assert.deepEqual(body, {
    from: DAY,
    to: DAY,
    rows: [
      {
        timestamp: at('00:00'),
        ...channel,
        distributor: 'a "cdn", x',
        ...bareColumns(bare),
        minutes_watched: 0.5,
      },
      {
        timestamp: at('00:00'),
        ...channel,
        distributor: 'direct',
        ...fullColumns(full),
        minutes_watched: 1.001,
      },
      {
        timestamp: at('23:00'),
        ...channel,
        distributor: 'direct',
        ...bareColumns(bare),
        minutes_watched: 20.576,
      },
    ],
  })
  assert.deepEqual(
    countries
      .json()
      .rows.map((row) => [row['timestamp'], row['video_title'], row['minutes_watched'], row['country']]),
    [
      [at('00:00'), 'Plain', 0.5, 'DE'],
      [at('00:00'), TITLE, 0.001, 'DE'],
      [at('00:00'), TITLE, 1, 'US'],
      [at('23:00'), 'Plain', 20.576, 'DE'],
    ],
  )
  assert.deepEqual(
    minutes.json().rows.map((row) => [row['timestamp'], row['minutes_watched'], row['country']]),
    [
      [at('00:00'), 0.001, undefined],
      [at('00:30'), 0.001, undefined],
      [at('00:31'), 0.5, undefined],
      [at('00:31'), 1, undefined],
      [at('23:59'), 20.576, undefined],
    ],
  )
})

test('CSV and NDJSON have the rows of the JSON, whatever their texts contain', async () => {
  const account = await anAccount()
  const { channelId } = account
  const { full } = await aCatalog(account)
  await addWatched(account, [{ at: `${DAY}T18:00:00Z`, channelId, videoId: full }])
  const path = `/reports/analytics?from=${DAY}&to=2026-02-28`

  const json = await read(account, path)
  const csv = await read(account, path, 'text/csv')
  const ndjson = await read(account, path, 'application/x-ndjson')

  const row = {
    timestamp: `${DAY}T18:00:00.000Z`,
    linear_channel_id: channelId,
    linear_channel_name: 'One',
    distributor: 'direct',
    ...fullColumns(full),
    minutes_watched: 1,
  }
  assert.deepEqual(json.json().rows, [row])
  assert.deepEqual(Object.keys(json.json().rows[0]!), Object.keys(row))
  assert.deepEqual(
    ndjson.body
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
    [row],
  )
  assert.match(csv.headers.get('content-type')!, /^text\/csv/)
  assert.equal(
    csv.body,
    `${Object.keys(row).join(',')}\r\n${DAY}T18:00:00.000Z,${channelId},One,direct,"North ""TV""","Harbour, Nights",` +
      `${full},"Der „Kapitän"", 3\\4 \t of it,\nor: \u007f it 🚢","A ferry is late;\r\nno ""why"" is given.",HN-0412,1.000\r\n`,
  )
})

test('reports are compressed for clients that accept it, and end with the minutes by method', async () => {
  const account = await anAccount()
  await addWatched(account, [
    { at: `${DAY}T18:00:00Z`, channelId: account.channelId, ms: [0, 30_000, 60_000] },
  ])
  const path = `/reports/analytics/components?from=${DAY}&to=${DAY}`
  const plain = await read(account, path, 'text/csv')

  for (const [encoding, unpack] of [
    ['gzip', gunzipSync],
    ['zstd', zstdDecompressSync],
  ] as const) {
    const { headers, trailers, bytes } = await rawAnswer(account, path, encoding)
    assert.equal(headers['content-encoding'], encoding)
    assert.equal(headers['vary'], 'Accept-Encoding')
    assert.equal(unpack(bytes).toString(), plain.body)
    assert.equal(trailers['minutes-by-method'], 'cmcd_v2=0, cmcd_v1=0.5, heartbeat=1')
  }
})

test('a HEAD request and an HTTP/1.0 client get a response, and keep no report open', async () => {
  const account = await anAccount()
  const path = `/api/2.3/reports/analytics?from=${DAY}&to=${DAY}`
  const { credential } = api.userOf(account.accountId, ['SCHEDULE'])
  const url = new URL(await api.listen())

  // More than an account may read at once.
  for (let at = 0; at < 5; at += 1) {
    const answer = await fetch(new URL(path, url), { method: 'HEAD', headers: credential })
    assert.equal(answer.status, 200)
    const socket = connect(Number(url.port), url.hostname)
    const lines = Object.entries(credential).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`GET ${path} HTTP/1.0\r\n${lines.join('')}\r\n`)
    let text = ''
    for await (const bytes of socket) text += String(bytes)
    assert.match(
      text,
      /^HTTP\/1\.1 200 [\s\S]*\r\n\r\n\{"from":"2026-02-27","to":"2026-02-27","rows":\[\]\}\n$/,
    )
  }
})

test('every type of component is in the minutes by component, and they add up', async () => {
  const account = await anAccount()
  const { channelId } = account
  const types = ['VIDEO', 'AD_POD', 'INTERSTITIAL', 'TIME_FILL', 'LIVE', 'SLATE']
  await addWatched(
    account,
    types.map((type, at) => ({
      at: `${DAY}T10:0${at}:00Z`,
      channelId,
      type,
      ms: [at * 1_000, 0, 60_000] as const,
    })),
  )

  const body = (await read(account, `/reports/analytics/components?from=${DAY}&to=${DAY}`)).json()

  assert.deepEqual(compileCheck(operations.reportComponentMinutes.answer.schema)(body), [])
  assert.deepEqual(body.minutes_by_method, { cmcd_v2: 0.25, cmcd_v1: 0, heartbeat: 6 })
  assert.deepEqual(
    Object.fromEntries(body.rows.map((row) => [row['component_type'], row['minutes_watched']])),
    { AD_POD: 1.017, INTERSTITIAL: 1.033, LIVE: 1.067, SLATE: 1.083, TIME_FILL: 1.05, VIDEO: 1 },
  )
})

test('minutes by interstitial and program, for each distributor', async () => {
  const account = await anAccount()
  const { channelId } = account
  const { full, bare } = await aCatalog(account)
  const programId = await system.place(account, {
    startMs: api.nowMs + 3_600_000,
    endMs: api.nowMs + 3_700_000,
    items: [],
  })
  const type = 'INTERSTITIAL'
  await addWatched(account, [
    { at: `${DAY}T03:00:00Z`, channelId, type, videoId: full, programId, ms: [0, 0, 600] },
    { at: `${DAY}T04:00:00Z`, channelId, type, videoId: full, programId, ms: [0, 0, 600] },
    {
      at: `${DAY}T04:00:00Z`,
      channelId,
      type,
      videoId: full,
      programId,
      distributor: 'roku',
      ms: [6_000, 0, 0],
    },
    {
      at: `${DAY}T04:00:00Z`,
      channelId,
      type,
      videoId: bare,
      programId: 'no-uuid',
      distributor: 'x',
      ms: [0, 60, 0],
    },
    { at: `${DAY}T05:00:00Z`, channelId, videoId: full, programId },
  ])

  const { rows } = (await read(account, `/reports/analytics/interstitials?from=${DAY}&to=${DAY}`)).json()

  const row = (
    videoId: string,
    title: string,
    program: [string, string | null],
    distributor: string,
    ms: number,
  ) => ({
    timestamp: `${DAY}T00:00:00.000Z`,
    component_reference_id: videoId,
    component_title: title,
    program_id: program[0],
    program_title: program[1],
    distributor,
    minutes_watched: ms / 60_000,
  })
  assert.deepEqual(
    rows.toSorted((a, b) => (String(a['distributor']) < String(b['distributor']) ? -1 : 1)),
    [
      row(full, TITLE, [programId, 'Harbour Nights'], 'direct', 1_200),
      row(full, TITLE, [programId, 'Harbour Nights'], 'roku', 6_000),
      row(bare, 'Plain', ['no-uuid', null], 'x', 60),
    ],
  )
})

test('starts are by channel and day, under the name that the channel has now', async () => {
  const account = await anAccount()
  const { channelId, admin } = account
  await addWatched(account, [
    { at: `${DAY}T01:00:00Z`, channelId, starts: 3 },
    { at: `${DAY}T22:00:00Z`, channelId, starts: 4, type: 'AD_POD' },
    { at: `${DAY}T22:00:00Z`, channelId, starts: 1, distributor: 'roku' },
    { at: `${DAY}T23:00:00Z`, channelId, distributor: 'samsung' },
    { at: '2026-02-28T00:00:00Z', channelId, starts: 9 },
  ])
  const { headers } = await admin.get(`/api/2.3/linear_channels/${channelId}`)
  await admin.patch(
    `/api/2.3/linear_channels/${channelId}`,
    { title: 'Renamed' },
    { 'if-match': String(headers['etag']) },
  )

  const body = (await read(account, `/reports/analytics/channels?from=${DAY}&to=2026-02-28`)).json()

  const at = (day: string) => `${day}T00:00:00.000Z`
  assert.deepEqual(body, {
    from: DAY,
    to: '2026-02-28',
    rows: [
      { timestamp: at(DAY), linear_channel_name: 'Renamed', distributor: 'direct', channel_starts: 7 },
      { timestamp: at(DAY), linear_channel_name: 'Renamed', distributor: 'roku', channel_starts: 1 },
      {
        timestamp: at('2026-02-28'),
        linear_channel_name: 'Renamed',
        distributor: 'direct',
        channel_starts: 9,
      },
    ],
  })
})

test('the day of an audience: hours, viewers at once on average and at most, sessions, ad breaks', async () => {
  const account = await anAccount()
  const { channelId } = account
  await addWatched(account, [
    { at: `${DAY}T10:00:00Z`, channelId, ms: [0, 0, 1_800_000], starts: 2 },
    { at: `${DAY}T10:00:00Z`, channelId, type: 'AD_POD', country: 'US', ms: [0, 0, 300_000] },
    { at: `${DAY}T11:00:00Z`, channelId, ms: [0, 0, 1_500_000] },
  ])

  const body = (await read(account, `/reports/audience?from=${DAY}&to=${DAY}`)).json()
  const byCountry = (
    await read(account, `/reports/audience?from=${DAY}&to=${DAY}&include_countries=true`)
  ).json()

  assert.deepEqual(compileCheck(operations.reportAudience.answer.schema)(body), [])
  assert.deepEqual(body.rows, [
    {
      timestamp: `${DAY}T00:00:00.000Z`,
      linear_channel_id: channelId,
      linear_channel_name: 'One',
      distributor: 'direct',
      hours_watched: 1,
      average_concurrent: 0.042,
      peak_concurrent: 35,
      starts: 2,
      average_session_minutes: 30,
      ad_break_seconds: 300,
    },
  ])
  assert.deepEqual(
    byCountry.rows.map((row) => [
      row['country'],
      row['hours_watched'],
      row['peak_concurrent'],
      row['average_session_minutes'],
    ]),
    [
      ['DE', 0.917, null, 27.5],
      ['US', 0.083, null, null],
    ],
  )
})

test('a day on which nothing happened has no rows, in every report and format', async () => {
  const account = await anAccount()
  const range = `from=2026-01-01&to=2026-01-02`
  for (const name of [
    'analytics',
    'analytics/interstitials',
    'analytics/channels',
    'analytics/components',
    'audience',
    'program/schedules',
    'component/schedules',
  ]) {
    const json = (await read(account, `/reports/${name}?${range}`)).json()
    const csv = (await read(account, `/reports/${name}?${range}`, 'text/csv')).body
    const ndjson = (await read(account, `/reports/${name}?${range}`, 'application/x-ndjson')).body
    assert.deepEqual(json.rows, [], name)
    assert.match(csv, /^[a-z_]+(,[a-z_]+)+\r\n$/, name)
    assert.equal(ndjson, '', name)
  }
})

test('ranges that are too long, or end before they begin, are rejected', async () => {
  const account = await anAccount()
  const send = (query: string) => api.userOf(account.accountId, ['SCHEDULE']).get(`/api/2.3/reports/${query}`)

  assertProblem(await send('analytics?from=2026-03-02&to=2026-03-01'), 400, 'report.range_invalid')
  assertProblem(await send('analytics?from=2026-01-01&to=2026-04-03'), 400, 'report.range_invalid')
  assertProblem(
    await send('analytics?from=2026-01-01&to=2026-01-09&time_frame=minute'),
    400,
    'report.range_invalid',
  )
  assertProblem(await send('program/schedules?from=2026-01-01&to=2026-04-03'), 400, 'report.range_invalid')
  assertProblem(await send('analytics?from=2026-02-30&to=2026-03-01'), 400, 'request.invalid')
  await read(account, '/reports/analytics?from=2026-01-01&to=2026-04-02')
  await read(account, '/reports/analytics?from=2026-01-01&to=2026-01-08&time_frame=minute')
})

/** More than fits into sockets and buffers. */
async function addMany({ accountId, channelId }: ScheduleAccount): Promise<void> {
  const dayMs = Date.parse(`${DAY}T00:00:00Z`)
  await owner.query('select make_audience_day($1)', [dayMs / 86_400_000])
  await owner.query(
    `insert into audience_hours
     select $1, $2, $3, 'distributor-' || n, 'DE', n, 'VIDEO', null, 0, null, 0, 0, 60000, 0 from generate_series(1, 120000) n`,
    [accountId, dayMs, channelId],
  )
}

const countOpen = async (): Promise<number> => {
  const { rows } = await owner.query<{ count: string }>(
    `select count(*) from pg_stat_activity where application_name = 'continuity-reports' and datname = current_database()`,
  )
  return Number(rows[0]!.count)
}

const allOfDay = `/reports/analytics?from=${DAY}&to=${DAY}`

/** A report of which the client reads nothing: it has its slot until the client disconnects. */
async function begin({ accountId }: ScheduleAccount) {
  const { credential: headers } = api.userOf(accountId, ['SCHEDULE'])
  const request = http.get(`${await api.listen()}/api/2.3${allOfDay}`, { headers, agent: false })
  const [answer] = (await once(request, 'response')) as [http.IncomingMessage]
  return { status: answer.statusCode, headers: answer.headers, disconnect: () => request.destroy() }
}

async function untilNoneIsOpen(): Promise<void> {
  const endMs = performance.now() + 30_000
  while ((await countOpen()) > 0 && performance.now() < endMs)
    await new Promise((resolve) => setTimeout(resolve, 50))
  assert.equal(await countOpen(), 0)
}

test('a client that disconnects ends its report, and frees its slot', async () => {
  const account = await anAccount()
  await addMany(account)

  const [one, two, three] = [await begin(account), await begin(account), await begin(account)]
  const openMeanwhile = await countOpen()
  assert.deepEqual(
    [one, two, three].map(({ status }) => status),
    [200, 200, 429],
  )
  assert.equal(three.headers['retry-after'], '5')
  for (const { disconnect } of [one, two, three]) disconnect()
  await untilNoneIsOpen()

  assert.equal(openMeanwhile, 2)
  const { rows } = (await read(account, allOfDay)).json()
  assert.equal(rows.length, 120_000)
})

test('a process that has all the reports it can hold rejects those of every account until one ends', async () => {
  const accounts = await Promise.all([1, 2, 3, 4].map(() => anAccount()))
  for (const account of accounts) await addMany(account)
  const another = await anAccount()

  const open = await Promise.all(accounts.flatMap((account) => [begin(account), begin(account)]))
  const statusOfAnother = async () => {
    const answer = await get(another, allOfDay)
    // Unread, it would keep its connection.
    await answer.arrayBuffer()
    return answer.status
  }
  const rejected = await statusOfAnother()
  open[0]!.disconnect()
  const endMs = performance.now() + 30_000
  let later = await statusOfAnother()
  while (later !== 200 && performance.now() < endMs) later = await statusOfAnother()

  assert.deepEqual(
    open.map(({ status }) => status),
    open.map(() => 200),
  )
  assert.deepEqual([rejected, later], [503, 200])
  for (const { disconnect } of open) disconnect()
  await untilNoneIsOpen()
})

test('an account sees its own rows only', async () => {
  const [north, south] = [await anAccount(), await anAccount()]
  await addWatched(north, [{ at: `${DAY}T10:00:00Z`, channelId: north.channelId, starts: 1 }])

  for (const name of ['analytics', 'analytics/channels', 'analytics/components', 'audience']) {
    const path = `/reports/${name}?from=${DAY}&to=${DAY}`
    assert.equal((await read(north, path)).json().rows.length, 1, name)
    assert.deepEqual((await read(south, path)).json().rows, [], name)
  }
})

test('viewers of the last minute that is counted are reported', async () => {
  const account = await anAccount()
  const { channelId } = account
  api.nowMs = Date.parse('2026-03-01T12:05:30Z')
  await addWatched(account, [
    { at: '2026-03-01T12:02:00Z', channelId, ms: [0, 0, 999_000] },
    { at: '2026-03-01T12:03:00Z', channelId, ms: [30_000, 0, 60_000] },
    { at: '2026-03-01T12:03:00Z', channelId, distributor: 'roku', type: 'AD_POD', ms: [0, 0, 6_000] },
    { at: '2026-03-01T12:04:00Z', channelId, ms: [0, 0, 999_000] },
  ])

  const outputs = `/api/2.3/linear_channels/${channelId}/outputs`
  await account.admin.post(outputs, { distributor: 'later', delay_ms: 3_630_000 })
  await addWatched(account, [
    // Of the minute that had ended at 12:03 on the clock of the output.
    { at: '2026-03-01T11:02:00Z', channelId, distributor: 'later', ms: [0, 0, 12_000] },
    { at: '2026-03-01T11:02:00Z', channelId, distributor: 'roku', ms: [0, 0, 999_000] },
    { at: '2026-03-01T12:03:00Z', channelId, distributor: 'later', ms: [0, 0, 999_000] },
  ])

  const answer = await account.admin.get('/api/2.3/audience/now')

  assert.equal(answer.statusCode, 200, answer.body)
  assert.deepEqual(answer.json(), {
    minute: '2026-03-01T12:03:00.000Z',
    viewers: 1.8,
    channels: [
      {
        linear_channel_id: channelId,
        viewers: 1.8,
        distributors: [
          { distributor: 'direct', viewers: 1.5 },
          { distributor: 'later', viewers: 0.2 },
          { distributor: 'roku', viewers: 0.1 },
        ],
      },
    ],
    minutes_by_method: { cmcd_v2: 0.5, cmcd_v1: 0, heartbeat: 1.3 },
  })
})

interface Plan {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly Plans?: readonly Plan[]
}

test('minutes by video are sorted incrementally, and a video is looked up and printed before its distributors are listed', async (t) => {
  const account = await anAccount()
  await owner.query('select make_audience_day($1)', [Date.parse(DAY) / 86_400_000])
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  t.after(() => client.end())
  await client.query(SNAPSHOT_SETTINGS)

  const reports = [analytics('hour', false), analytics('hour', true), analytics('minute', false)]
  for (const [report, format] of reports.flatMap((each) => [
    [each, 'json'] as const,
    [each, 'csv'] as const,
  ])) {
    const fromOf = (makeShared: string) => report.fromOf(account.accountId, Date.parse(DAY), makeShared)
    const copied = printedRows(report.columns, fromOf, format)
    const statement = copied.slice(copied.indexOf('(') + 1, copied.lastIndexOf(') to stdout'))
    const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (format json) ${statement}`,
    )
    const plan = rows[0]!['QUERY PLAN'][0].Plan
    const listing = nodesOf(plan).find(({ Plans }) => Plans?.at(-1)?.['Node Type'] === 'Function Scan')

    assert.ok(nodesOf(plan).some((node) => node['Node Type'] === 'Incremental Sort'))
    assert.ok(!nodesOf(plan).some((node) => node['Node Type'] === 'Sort'))
    const before = nodesOf(listing!.Plans![0]!)
    assert.ok(before.some((node) => node['Relation Name'] === 'videos'))
    assert.ok(before.some((node) => node['Node Type'] === 'Result'))
  }
})

const nodesOf = (plan: Plan): readonly Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]
