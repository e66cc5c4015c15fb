import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { assertProblem } from '../../http/testing/wire.ts'
import { findAsset } from '../assets/index.ts'
import { assertEvents } from '../events/testing/assert-events.ts'
import { processRequest } from '../ingest/process-request.ts'
import { settleReady } from '../ingest/settle-asset.ts'
import { aFinishingRun } from '../ingest/testing/an-ingest-api.ts'
import { type ScheduleAccount, videoItem } from '../schedule/testing/a-schedule-api.ts'
import { aProgramApi, type Hit, programsOf } from './testing/a-program-api.ts'

const system = await aProgramApi()
const { api, anAccount, aVideo, place, sweep, start, list } = system

const HOUR_MS = 3_600_000
const iso = (ms: number) => new Date(ms).toISOString()

/** An account with a video of ten minutes, and requests for programs of it. */
async function aSchedule() {
  const account = await anAccount()
  const video = await aVideo(account, 600)
  const startMs = api.nowMs + 2 * HOUR_MS
  const draft = (more: object = {}) => ({
    title: 'Harbour Nights',
    start_time: iso(startMs),
    end_time: iso(startMs + HOUR_MS),
    items: [{ video_id: video.videoId }],
    ...more,
  })
  const create = (more: object = {}, headers: Readonly<Record<string, string>> = {}) =>
    account.admin.post<Hit>(programsOf(account), draft(more), headers)
  const addressOf = (programId: string) => `${programsOf(account)}/${programId}`
  const listed = async () => (await list(account, { to: iso(startMs + 24 * HOUR_MS) })).hits
  return { account, video, startMs, draft, create, addressOf, listed }
}

test('a program of a video, a playlist and an ad pod is made, read and shown', async () => {
  const { account, video, startMs, create, addressOf } = await aSchedule()
  const promo = await aVideo(account, 30)
  await account.admin.patch(`/api/2.1/videos/${promo.videoId}`, { content_type: 'promo' })
  const made = await account.admin.post<{ playlist_id: string }>('/api/2.1/playlists', { title: 'Tides' })
  const { playlist_id } = made.json()
  await account.admin.put(`/api/2.1/playlists/${playlist_id}/videos`, { video_ids: [promo.videoId] })

  const answer = await create({
    description: 'Ferries.',
    end_time: undefined,
    items: [{ video_id: video.videoId, in_ms: 6_400 }, { type: 'AD_POD', duration: 60 }, { playlist_id }],
  })

  assert.equal(answer.statusCode, 201, answer.body)
  const program = answer.json()
  assert.deepEqual(
    [program.state, program.start_time, program.end_time, program.description],
    ['PLANNED', iso(startMs), iso(startMs + 683_600), 'Ferries.'],
  )
  assert.equal(program.origin.type, 'OPERATOR')
  assert.notEqual(program.origin.id, null)
  assert.deepEqual(
    program.components?.map(({ type, reference_id }) => [type, reference_id]),
    [
      ['VIDEO', video.videoId],
      ['AD_POD', null],
      ['INTERSTITIAL', promo.videoId],
    ],
  )
  const items = [
    { video_id: video.videoId, in_ms: 6_400 },
    { type: 'AD_POD', duration: 60 },
    { video_id: promo.videoId },
  ]
  assert.deepEqual(program.items, items)
  await start(account)
  const read = await account.admin.get<Hit>(addressOf(program.program_id))
  assert.deepEqual([read.json().state, read.headers['etag']], ['COMMITTED', '"1"'])
  assert.deepEqual(read.json().items, items)
  api.nowMs = startMs + 300_000
  await sweep()
  const { hits } = await list(account, { components: 'true' })
  assert.deepEqual([hits[0]?.program_id, hits[0]?.state], [program.program_id, 'ON_AIR'])
  assert.deepEqual(hits[0]?.items, items)
  const bare = await list(account)
  assert.equal(bare.hits[0]?.items, undefined)
  const entries = await sql<{ action: string }>`
    select action from audit_entries where subject_id = ${program.program_id}`.execute(account.db)
  assert.deepEqual(entries.rows, [{ action: 'program.create' }])
})

test('a program is moved and cancelled by its ETag, and a stale one is 412', async () => {
  const { account, startMs, draft, create, addressOf, listed } = await aSchedule()
  await start(account)
  const made = await create()
  const address = addressOf(made.json().program_id)
  const moved = draft({
    title: 'Moved',
    start_time: iso(startMs + HOUR_MS),
    end_time: iso(startMs + 2 * HOUR_MS),
  })

  const change = await account.admin.put<Hit>(address, moved, { 'if-match': String(made.headers['etag']) })
  assert.equal(change.statusCode, 200, change.body)
  assert.deepEqual([change.json().start_time, change.headers['etag']], [iso(startMs + HOUR_MS), '"2"'])
  await sweep()
  assert.deepEqual(
    (await listed()).map(({ title, start_time, state }) => [title, start_time, state]),
    [['Moved', iso(startMs + HOUR_MS), 'COMMITTED']],
  )
  assertProblem(await account.admin.put(address, moved, { 'if-match': '"1"' }), 412, 'record.changed')
  assertProblem(await account.admin.delete(address, { 'if-match': '"1"' }), 412, 'record.changed')
  assert.equal((await account.admin.delete(address, { 'if-match': '"2"' })).statusCode, 204)
  assert.deepEqual(await listed(), [])
  assertProblem(await account.admin.delete(address), 404, 'program.not_found')
  await assertEvents(account.db, ['program.placed', 'program.changed', 'program.removed'])
})

test('what has started, or starts within a minute, is neither changed nor cancelled', async () => {
  const { account, startMs, draft, create, addressOf } = await aSchedule()
  const address = addressOf((await create()).json().program_id)
  const later = draft({ start_time: iso(startMs + 3 * HOUR_MS), end_time: iso(startMs + 4 * HOUR_MS) })
  for (const nowMs of [startMs - 59_999, startMs, startMs + 2 * HOUR_MS]) {
    api.nowMs = nowMs
    assertProblem(await account.admin.put(address, later), 409, 'program.started')
    assertProblem(await account.admin.delete(address), 409, 'program.started')
  }
  assertProblem(
    await create({ start_time: iso(api.nowMs + 59_000), end_time: undefined }),
    422,
    'schedule.too_late',
  )
})

test('of two operators who take the same time at once, one gets it', async () => {
  const { create, startMs, listed } = await aSchedule()
  const windows = [0, 1, 2, 3].map((at) => ({
    start_time: iso(startMs + at * 600_000),
    end_time: iso(startMs + at * 600_000 + HOUR_MS),
  }))

  const answers = await Promise.all(windows.map((window) => create(window)))

  assert.equal(answers.filter(({ statusCode }) => statusCode === 201).length, 1)
  for (const answer of answers) if (answer.statusCode !== 201) assertProblem(answer, 409, 'schedule.overlap')
  assert.equal((await listed()).length, 1)
})

test('two changes of one program at once with the same ETag: one is made', async () => {
  const { account, draft, create, addressOf } = await aSchedule()
  const made = await create()
  const address = addressOf(made.json().program_id)
  const headers = { 'if-match': '"1"' }

  const answers = await Promise.all([
    account.admin.put(address, draft({ title: 'One' }), headers),
    account.admin.put(address, draft({ title: 'Other' }), headers),
    account.admin.delete(address, headers),
  ])

  const statuses = answers.map(({ statusCode }) => statusCode)
  assert.equal(statuses.filter((status) => status < 300).length, 1, String(statuses))
})

test('a request that is repeated because its answer was lost has its effect once', async () => {
  const { account, create, draft, addressOf, listed } = await aSchedule()
  const headers = { 'idempotency-key': 'k1' }

  const [first, second] = [await create({}, headers), await create({}, headers)]

  assert.deepEqual([first.statusCode, second.statusCode], [201, 201])
  assert.equal(first.json().program_id, second.json().program_id)
  const address = addressOf(first.json().program_id)
  const put = () => account.admin.put<Hit>(address, draft({ title: 'Once' }), { 'idempotency-key': 'k2' })
  assert.deepEqual([(await put()).headers['etag'], (await put()).headers['etag']], ['"2"', '"2"'])
  assertProblem(
    await account.admin.put(address, draft({ title: 'Twice' }), { 'idempotency-key': 'k2' }),
    422,
    'idempotency.key_reused',
  )
  assert.equal((await listed()).length, 1)
})

/** A partner's request for the same window, and its processing. */
async function submit(account: ScheduleAccount, startMs: number) {
  return account.admin.post<{ request_id: string }>('/api/2.1/automation/schedule', {
    linear_channel_id: account.channelId,
    source_id: 'north',
    program_title: 'Partner',
    videos: [
      {
        type: 'VIDEO',
        video_source_id: 'a',
        title: 'A',
        video_url: 'https://partner.example/new.mp4',
        duration: 60,
      },
    ],
    schedule: { start_time: iso(startMs), duration_ms: HOUR_MS },
  })
}

test('operators and partners: the first keeps the time, also before the request is processed', async () => {
  const { account, startMs, create } = await aSchedule()
  assert.equal((await create()).statusCode, 201)
  assertProblem(await submit(account, startMs + HOUR_MS / 2), 409, 'schedule.overlap')
  const later = startMs + HOUR_MS
  assert.equal((await submit(account, later)).statusCode, 202)
  const window = { start_time: iso(later + 1_000), end_time: iso(later + 2 * HOUR_MS) }
  assertProblem(await create(window), 409, 'schedule.overlap')
})

test('a cancelled program of a partner leaves its request CANCELLED, and can be submitted again', async () => {
  const { account, startMs, draft, addressOf, listed } = await aSchedule()
  const requestId = (await submit(account, startMs)).json().request_id
  await processRequest(aFinishingRun(account, { request_id: requestId }, api.nowMs))
  const [program] = await listed()
  assert.deepEqual(program?.origin, { type: 'REQUEST', id: requestId })
  const address = addressOf(program.program_id)
  assertProblem(await account.admin.put(address, draft()), 409, 'program.of_request')

  assert.equal((await account.admin.delete(address)).statusCode, 204)

  const status = await account.admin.get<{ state: string; items: { state: string }[] }>(
    `/api/2.1/automation/schedule/${requestId}`,
  )
  assert.deepEqual([status.json().state, status.json().items[0]?.state], ['CANCELLED', 'CANCELLED'])
  assert.deepEqual(await listed(), [])
  const again = await submit(account, startMs)
  assert.equal(again.statusCode, 202)
  assert.notEqual(again.json().request_id, requestId)
})

test('a video that is being packaged is planned late, and shown when it is ready', async () => {
  const { account, create, listed } = await aSchedule()
  const late = await aVideo(account, 300, false)
  await start(account)
  await create({ items: [{ video_id: late.videoId }] })
  await sweep()
  assert.ok((await listed())[0]?.warnings.some(({ code }) => code === 'program.item_not_ready'))

  const asset = await findAsset(account.db, account.accountId, late.assetId)
  const actor = { accountId: account.accountId, userId: null, requestId: null, nowMs: api.nowMs }
  await account.db.transaction().execute((tx) =>
    settleReady(tx, actor, asset!, {
      path: `assets/${account.accountId}/${late.assetId}/p`,
      durationTicks: 300 * 90_000,
      segmentCount: 93,
      images: [],
      found: { chaptersMs: [], proposedMs: [] },
      givenMs: null,
    }),
  )
  await sweep()

  const [program] = (await list(account, { components: 'true', to: iso(api.nowMs + 4 * HOUR_MS) })).hits
  assert.deepEqual(
    [program?.state, program?.components?.[0]?.type, program?.components?.[0]?.reference_id],
    ['COMMITTED', 'VIDEO', late.videoId],
  )
})

test('a file that was cancelled is made again, and one that failed is 409', async () => {
  const { account, create, startMs } = await aSchedule()
  const video = await aVideo(account, 300, false)
  const setState = (state: string) =>
    sql`update assets set state = ${state} where asset_id = ${video.assetId}`.execute(account.db)
  await setState('FAILED')
  assertProblem(await create({ items: [{ video_id: video.videoId }] }), 409, 'video.not_playable')
  await setState('CANCELLED')
  const made = await create({ items: [{ video_id: video.videoId }] })
  assert.equal(made.statusCode, 201, made.body)
  const { rows } = await sql<{ madeFrom: string }>`
    select made_from as "madeFrom" from assets
     where video_id = ${video.videoId} and state = 'QUEUED'`.execute(account.db)
  assert.deepEqual(rows, [{ madeFrom: 'https://partner.example/a.mp4' }])

  const bare = await account.admin.post<{ video_id: string }>('/api/2.1/videos', {
    title: 'Bare',
    duration: 9,
  })
  const window = { start_time: iso(startMs + 5 * HOUR_MS), end_time: undefined }
  assertProblem(
    await create({ ...window, items: [{ video_id: bare.json().video_id }] }),
    409,
    'video.not_playable',
  )
})

test('items that name nothing, too much or too little are rejected, and nothing is stored', async () => {
  const { account, video, create, startMs, listed } = await aSchedule()
  const empty = await account.admin.post<{ playlist_id: string }>('/api/2.1/playlists', { title: 'Empty' })
  const deleted = await aVideo(account, 60)
  await account.admin.delete(`/api/2.1/videos/${deleted.videoId}`)
  for (const [items, status, code] of [
    [[{ video_id: randomUUID() }], 422, 'video.unknown'],
    [[{ video_id: 'x' }], 422, 'video.unknown'],
    [[{ video_id: deleted.videoId }], 422, 'video.unknown'],
    [[{ playlist_id: randomUUID() }], 422, 'playlist.unknown'],
    [[{ playlist_id: empty.json().playlist_id }], 422, 'program.no_items'],
    [[{ type: 'AD_POD', duration: 3_601 }], 422, 'schedule.too_long'],
    [[{ type: 'AD_POD' }], 400, 'request.invalid'],
    [[{ video_id: video.videoId, duration: 5 }], 400, 'request.invalid'],
    [[{ video_id: video.videoId, playlist_id: randomUUID() }], 400, 'request.invalid'],
    [[{}], 400, 'request.invalid'],
    [[], 400, 'request.invalid'],
  ] as const)
    assertProblem(await create({ items }), status, code)
  assertProblem(await create({ end_time: iso(startMs) }), 400, 'program.range_invalid')
  assert.deepEqual(await listed(), [])
})

test('a program of a rule gives way: it ends where another begins, or is removed', async () => {
  const { account, video, startMs, create, listed, draft, addressOf } = await aSchedule()
  const origin = { origin: 'RULE', originId: randomUUID() } as const
  const items = [videoItem(video, 600)]
  const [early, late] = [startMs - HOUR_MS / 2, startMs + HOUR_MS / 2]
  await place(account, { title: 'Early', startMs: early, endMs: late, items, ...origin })
  const kept = await place(account, { title: 'Late', startMs: late, endMs: late + HOUR_MS, items, ...origin })

  assert.equal((await create()).statusCode, 201)
  assert.deepEqual(
    (await listed()).map(({ title, end_time, origin: { type } }) => [title, end_time, type]),
    [
      ['Early', iso(startMs), 'RULE'],
      ['Harbour Nights', iso(startMs + HOUR_MS), 'OPERATOR'],
    ],
  )
  assertProblem(await account.admin.delete(addressOf(kept)), 404, 'program.not_found')

  const rules = await place(account, {
    startMs: startMs + 2 * HOUR_MS,
    endMs: startMs + 3 * HOUR_MS,
    items,
    ...origin,
  })
  const window = { start_time: iso(startMs + 2 * HOUR_MS), end_time: iso(startMs + 3 * HOUR_MS) }
  const changed = await account.admin.put<Hit>(addressOf(rules), draft(window))
  assert.equal(changed.json().origin.type, 'OPERATOR', changed.body)
})
