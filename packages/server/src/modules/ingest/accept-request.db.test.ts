import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { assertProblem } from '../../http/testing/wire.ts'
import { processRequest } from './process-request.ts'
import {
  aFinishingRun,
  anIngestApi,
  aProgram,
  aVideo,
  type IngestAccount,
  SCHEDULE,
  START_MS,
  type WireRequest,
} from './testing/an-ingest-api.ts'

const { api, anAccount, submit, statusOf, process } = await anIngestApi()

const at = (startMs: number, durationMs = 1_800_000) => ({
  schedule: { start_time: new Date(startMs).toISOString(), duration_ms: durationMs },
})

test('a submitted program is queued, with each of its items', async () => {
  const account = await anAccount()

  const requestId = await submit(account, aProgram(account.channelId))

  const status = await statusOf(account, requestId)
  assert.equal(status.state, 'QUEUED')
  assert.deepEqual(
    status.items.map(({ type, video_source_id, state, progress }) => [
      type,
      video_source_id,
      state,
      progress,
    ]),
    [
      ['VIDEO', 'HN-1', 'QUEUED', 0],
      ['AD_POD', null, 'READY', 1],
    ],
  )
})

test('a body that is sent again is the same request, in any order of its fields', async () => {
  const account = await anAccount()
  const body = aProgram(account.channelId, {
    videos: [withExtra(aVideo('X-1'))],
  })

  const first = await submit(account, body)
  const again = await submit(account, turnedRound(body) as WireRequest)

  assert.equal(again, first)
})

test('a body that is sent again too late is still the same request, and another body is rejected', async (t) => {
  const account = await anAccount()
  const startMs = api.nowMs + 3_600_000
  const body = aProgram(account.channelId, at(startMs))
  const first = await submit(account, body)
  const { nowMs } = api
  t.after(() => {
    api.nowMs = nowMs
  })

  for (api.nowMs of [startMs - 30_000, startMs + 1_000]) {
    assert.equal(await submit(account, body), first)
    const other = await account.admin.post(SCHEDULE, { ...body, program_title: 'Another' })
    assertProblem(other, 422, 'schedule.too_late')
  }
})

test('another body of the same source and start replaces the first', async () => {
  const account = await anAccount()
  const first = await submit(account, aProgram(account.channelId))

  const second = await submit(account, aProgram(account.channelId, { program_title: 'Harbour Days' }))

  assert.notEqual(second, first)
  const replaced = await statusOf(account, first)
  assert.equal(replaced.state, 'REPLACED')
  assert.equal(replaced.items[0]?.state, 'CANCELLED')
  assert.equal((await statusOf(account, second)).state, 'QUEUED')
})

test('a window that overlaps another program is rejected, and one that only touches it is accepted', async () => {
  const account = await anAccount()
  const { admin, channelId } = account
  await submit(account, aProgram(channelId))

  const other = { source_id: 'south' }
  for (const startMs of [START_MS, START_MS + 1_799_000, START_MS - 1_799_000]) {
    const answer = await admin.post(SCHEDULE, aProgram(channelId, { ...other, ...at(startMs) }))
    assertProblem(answer, 409, 'schedule.overlap')
  }
  assertProblem(await admin.post(SCHEDULE, aProgram(channelId, at(START_MS + 1))), 409, 'schedule.overlap')
  await submit(account, aProgram(channelId, { ...other, ...at(START_MS - 1_800_000) }))
  await submit(account, aProgram(channelId, { ...other, ...at(START_MS + 1_800_000) }))
})

test('a replacement that is longer than what it replaces is rejected where it overlaps another program', async () => {
  const account = await anAccount()
  const { admin, channelId } = account
  const first = await submit(account, aProgram(channelId))
  await submit(account, aProgram(channelId, { source_id: 'south', ...at(START_MS + 1_800_000) }))

  const longer = await admin.post(SCHEDULE, aProgram(channelId, at(START_MS, 1_801_000)))

  assertProblem(longer, 409, 'schedule.overlap')
  assert.equal((await statusOf(account, first)).state, 'QUEUED')
})

test('one of several concurrent requests for the same window gets it', async () => {
  const account = await anAccount()
  const bodies = ['a', 'b', 'c', 'd'].map((source_id) => aProgram(account.channelId, { source_id }))

  const answers = await Promise.all(bodies.map((body) => account.admin.post(SCHEDULE, body)))

  const statuses = answers.map(({ statusCode }) => statusCode)
  assert.deepEqual(
    statuses.toSorted((a, b) => a - b),
    [202, 409, 409, 409],
  )
})

test('a program that begins within a minute is rejected', async () => {
  const { admin, channelId } = await anAccount()

  const answer = await admin.post(SCHEDULE, aProgram(channelId, at(api.nowMs + 59_999)))

  assertProblem(answer, 422, 'schedule.too_late')
})

test('items that are longer than their window are rejected', async () => {
  const { admin, channelId } = await anAccount()

  const answer = await admin.post(SCHEDULE, aProgram(channelId, at(START_MS, 179_000)))

  assertProblem(answer, 422, 'schedule.too_long')
})

test('a program for an unknown channel, or one of another account, is rejected', async () => {
  const [mine, theirs] = [await anAccount(), await anAccount()]

  for (const channelId of [theirs.channelId, 'no-id']) {
    assertProblem(await mine.admin.post(SCHEDULE, aProgram(channelId)), 404, 'channel.not_found')
  }
})

test('a request of another account is not found', async () => {
  const [mine, theirs] = [await anAccount(), await anAccount()]
  const requestId = await submit(theirs, aProgram(theirs.channelId))

  for (const id of [requestId, 'no-id']) {
    assertProblem(await mine.admin.get(`${SCHEDULE}/${id}`), 404, 'request.not_found')
  }
})

test('unknown fields are stored, and reported as a warning', async () => {
  const account = await anAccount()
  const video = { ...aVideo('X-1'), rights: { until: '2030' } }

  const requestId = await submit(account, aProgram(account.channelId, { videos: [video] }))

  const { warnings } = await statusOf(account, requestId)
  assert.deepEqual(
    warnings.map(({ code, message }) => [code, message.split(' ')[0]]),
    [['item.unknown_field', '/videos/0/rights']],
  )
  const { rows } = await sql`
    select document -> 'extra' as extra from ingest_items where request_id = ${requestId}`.execute(account.db)
  assert.deepEqual(rows, [{ extra: { rights: { until: '2030' } } }])
})

test('a request that is processed has videos in the catalog, and a job for each file', async () => {
  const account = await anAccount()
  const videos = [aVideo('A-1', { keywords: 'harbour, ferry,,harbour' }), aVideo('A-2')]
  const requestId = await submit(account, aProgram(account.channelId, { brand_id: 'new-brand', videos }))

  await process(account, requestId)

  const status = await statusOf(account, requestId)
  assert.equal(status.state, 'PROCESSING')
  const { body } = await account.admin.get(`/api/2.1/videos/${status.items[0]?.video_id}`)
  const video = JSON.parse(body)
  assert.deepEqual(
    [video.status, video.source_id, video.video_source_id, video.brand_id, video.channel_id, video.keywords],
    ['PROCESSING', 'north', 'A-1', 'new-brand', account.channelId, ['harbour', 'ferry']],
  )
  assert.equal(await jobsOf(account.accountId), 2)
})

test('a request that is processed is a program, whose items last as long as was declared', async () => {
  const account = await anAccount()
  const videos = [
    aVideo('D-1', { duration: 61 }),
    { type: 'AD_POD', duration: 120 } as const,
    aVideo('D-2', { duration: 7, content_type: 'promo' }),
  ]

  await process(account, await submit(account, aProgram(account.channelId, { videos })))

  const { rows } = await sql<{ type: string; ms: number; title: string }>`
    select i.type, i.declared_ms as ms, i.title
      from program_items i join programs p using (program_id)
     where p.linear_channel_id = ${account.channelId} order by i.place`.execute(account.db)
  assert.deepEqual(
    rows.map(({ type, ms, title }) => [type, ms, title]),
    [
      ['VIDEO', 61_000, 'Video D-1'],
      ['AD_POD', 120_000, ''],
      ['INTERSTITIAL', 7_000, 'Video D-2'],
    ],
  )
})

test('a request that is processed twice makes nothing twice', async () => {
  const account = await anAccount()
  const requestId = await submit(account, aProgram(account.channelId))

  await Promise.all(
    [process(account, requestId), process(account, requestId)].map((done) => done.catch(() => {})),
  )
  await process(account, requestId)

  assert.equal(await jobsOf(account.accountId), 1)
})

test('a video that is submitted again with the same file is not packaged again, and has the newest metadata', async () => {
  const account = await anAccount()
  const first = await submit(account, aProgram(account.channelId))
  await process(account, first)

  const changed = { ...aVideo('HN-1'), title: 'Another title' }
  const second = await submit(account, aProgram(account.channelId, { videos: [changed] }))
  await process(account, second)

  const [one, other] = [await statusOf(account, first), await statusOf(account, second)]
  assert.equal(other.items[0]?.video_id, one.items[0]?.video_id)
  assert.equal(await jobsOf(account.accountId), 1)
  const video = await account.admin.get<{ title: string }>(`/api/2.1/videos/${other.items[0]?.video_id}`)
  assert.equal(video.json().title, 'Another title')
})

test('a file that only a replaced request needs is cancelled, and one that the new request needs is not', async () => {
  const account = await anAccount()
  const first = await submit(account, aProgram(account.channelId, { videos: [aVideo('K-1'), aVideo('K-2')] }))
  await process(account, first)

  const second = await submit(
    account,
    aProgram(account.channelId, { videos: [aVideo('K-2'), aVideo('K-3')] }),
  )
  await process(account, second)

  assert.deepEqual(await statesOfFiles(account), { 'K-1': 'CANCELLED', 'K-2': 'QUEUED', 'K-3': 'QUEUED' })
})

test('a file that a request without a program waits for is not cancelled', async () => {
  const account = await anAccount()
  const { channelId } = account
  const videos = [aVideo('S-1')]
  const waiting = await submit(account, aProgram(channelId, { videos, ...at(START_MS + 1_800_000) }))
  await assert.rejects(beginProcessing(account, waiting), /killed/)
  await process(account, await submit(account, aProgram(channelId, { videos })))

  await process(account, await submit(account, aProgram(channelId, { videos: [aVideo('S-2')] })))

  assert.deepEqual(await statesOfFiles(account), { 'S-1': 'QUEUED', 'S-2': 'QUEUED' })
})

test('a file that was started while its request was replaced is cancelled when the request is processed', async () => {
  const account = await anAccount()
  const first = await submit(account, aProgram(account.channelId, { videos: [aVideo('G-1')] }))
  await assert.rejects(beginProcessing(account, first), /killed/)
  await process(account, await submit(account, aProgram(account.channelId, { videos: [aVideo('G-2')] })))
  // Like a row that is inserted just after the replacement has searched for it.
  await sql`update assets set state = 'QUEUED' where made_from like '%G-1%'`.execute(account.db)

  await process(account, first)

  assert.deepEqual(await statesOfFiles(account), { 'G-1': 'CANCELLED', 'G-2': 'QUEUED' })
})

/** Like a worker that is killed after it has started all files. */
const beginProcessing = (account: IngestAccount, requestId: string) =>
  processRequest({
    ...aFinishingRun(account, { request_id: requestId }, api.nowMs),
    finish: () => Promise.reject(new Error('killed')),
  })

async function statesOfFiles({ db }: IngestAccount): Promise<Record<string, string>> {
  const { rows } = await sql<{ url: string; state: string }>`
    select made_from as url, state from assets order by made_from`.execute(db)
  return Object.fromEntries(rows.map(({ url, state }) => [url.slice(-7, -4), state]))
}

test('many items are one statement, and the first file of one account precedes the backlog of another', async () => {
  const [many, few] = [await anAccount(), await anAccount()]
  const videos = Array.from({ length: 30 }, (_, i) => aVideo(`M-${i}`, { duration: 1 }))
  await process(many, await submit(many, aProgram(many.channelId, { videos })))
  await process(few, await submit(few, aProgram(few.channelId)))

  const { rows } = await sql<{ account: string }>`
    select data ->> 'accountId' as account from pgboss.job
     where name = 'package_asset' and data ->> 'accountId' = any(${[many.accountId, few.accountId]})
     order by priority desc, created_on limit 2`.execute(many.db)
  assert.deepEqual(new Set(rows.map(({ account }) => account)), new Set([many.accountId, few.accountId]))
})

const withExtra = (video: ReturnType<typeof aVideo>) => ({ ...video, rights: { a: 1, b: [{ c: 2, d: 3 }] } })

function turnedRound(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(turnedRound)
  const entries = Object.entries(value).map(([name, inside]) => [name, turnedRound(inside)])
  return Object.fromEntries(entries.toReversed())
}

async function jobsOf(accountId: string): Promise<number> {
  const { db } = await anAccount()
  const { rows } = await sql<{ jobs: number }>`
    select count(*) as jobs from pgboss.job
     where name = 'package_asset' and data ->> 'accountId' = ${accountId}`.execute(db)
  return rows[0]!.jobs
}
