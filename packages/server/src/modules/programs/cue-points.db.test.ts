import assert from 'node:assert/strict'
import { test } from 'node:test'
import { frameAt, planParts } from '@continuity/core/media/cue-points'
import { sql } from 'kysely'
import { assertProblem } from '../../http/testing/wire.ts'
import { findAsset, type MadeAsset } from '../assets/index.ts'
import { settleFailed, settleReady } from '../ingest/settle-asset.ts'
import type { ScheduleAccount } from '../schedule/testing/a-schedule-api.ts'
import { aProgramApi, programsOf } from './testing/a-program-api.ts'

const { api, anAccount, aVideo, sweep, start } = await aProgramApi()

const SECONDS = 600
const iso = (ms: number) => new Date(ms).toISOString()

interface WireVideo {
  readonly cue_points: readonly {
    readonly at_ms: number
    readonly origin: string
    readonly offset_ms: number
  }[]
  readonly media_url: string | null
}

/** An account with a packaged video of ten minutes. */
async function aPackagedVideo() {
  const account = await anAccount()
  const video = await aVideo(account, SECONDS)
  api.nowMs += 1_000
  const address = `/api/2.1/videos/${video.videoId}`
  const give = (cue_points_ms: readonly number[] | null) =>
    account.admin.patch<WireVideo>(address, { cue_points_ms })
  const read = async () => (await account.admin.get<WireVideo>(address)).json()
  return { account, video, give, read }
}

/** The assets of a video that are being made. */
async function unfinishedOf({ db }: ScheduleAccount, videoId: string): Promise<readonly string[]> {
  const { rows } = await sql<{ id: string }>`
    select asset_id as id from assets where video_id = ${videoId} and state = 'QUEUED'`.execute(db)
  return rows.map(({ id }) => id)
}

const actorOf = ({ accountId }: ScheduleAccount) => ({
  accountId,
  userId: null,
  requestId: null,
  nowMs: api.nowMs,
})

/** As a worker does that has packaged the file with these cue points. */
async function finish(
  account: ScheduleAccount,
  assetId: string,
  givenMs: readonly number[] | null,
): Promise<void> {
  const asset = await findAsset(account.db, account.accountId, assetId)
  const { segments, cuts } = planParts(
    SECONDS * 30,
    (givenMs ?? []).map((ms) => frameAt(ms, 30)),
    30,
    3_200,
  )
  const made: MadeAsset = {
    path: `assets/${account.accountId}/${assetId}/p`,
    durationTicks: SECONDS * 90_000,
    segmentCount: segments.length,
    ...(cuts.length === 0 ? {} : { cuts }),
    images: [],
    found: { chaptersMs: [], proposedMs: [300_000] },
    givenMs,
  }
  await account.db.transaction().execute((tx) => settleReady(tx, actorOf(account), asset!, made))
}

async function fail(account: ScheduleAccount, assetId: string): Promise<void> {
  const asset = await findAsset(account.db, account.accountId, assetId)
  const reason = { code: 'fetch.not_found', message: 'The server has no such file.' }
  await account.db.transaction().execute((tx) => settleFailed(tx, actorOf(account), asset!, reason))
}

async function alertsOf({ db }: ScheduleAccount): Promise<readonly string[]> {
  const { rows } = await sql<{ message: string }>`
    select message from alerts where code = 'cue_points.not_packaged' and closed_ms is null`.execute(db)
  return rows.map(({ message }) => message)
}

test('given cue points are packaged once, and until then show how far the nearest boundary is', async () => {
  const { account, video, give, read } = await aPackagedVideo()

  const answers = await Promise.all([give([100_000]), give([100_000]), give([100_000])])

  for (const answer of answers) {
    assert.equal(answer.statusCode, 200, answer.body)
    assert.deepEqual(answer.json().cue_points, [{ at_ms: 100_000, origin: 'GIVEN', offset_ms: -800 }])
  }
  const [assetId, ...others] = await unfinishedOf(account, video.videoId)
  assert.deepEqual(others, [])
  const { rows } = await sql`select from pgboss.job where data #>> '{data,asset_id}' = ${assetId}`.execute(
    account.db,
  )
  assert.equal(rows.length, 1)

  await finish(account, assetId!, [100_000])

  const { cue_points, media_url } = await read()
  assert.deepEqual(cue_points, [
    { at_ms: 100_000, origin: 'GIVEN', offset_ms: 0 },
    { at_ms: 300_000, origin: 'PROPOSED', offset_ms: -1_600 },
  ])
  assert.ok(media_url?.includes(assetId!))
  assert.deepEqual(await unfinishedOf(account, video.videoId), [])
})

test('a package that has the boundaries already is not made again', async () => {
  const { account, video, give, read } = await aPackagedVideo()

  await give([96_000, 599_000])
  await give([])
  await give(null)

  assert.deepEqual(await unfinishedOf(account, video.videoId), [])
  assert.deepEqual((await read()).cue_points, [])
})

test('cue points that are given while the video is being packaged are packaged after that', async () => {
  const { account, video, give, read } = await aPackagedVideo()
  await give([100_000])
  const [first] = await unfinishedOf(account, video.videoId)

  await give([200_000])
  assert.deepEqual(await unfinishedOf(account, video.videoId), [first])
  api.nowMs += 1_000
  await finish(account, first!, [100_000])

  const [second, ...others] = await unfinishedOf(account, video.videoId)
  assert.notEqual(second, first)
  assert.deepEqual(others, [])
  await finish(account, second!, [200_000])
  assert.deepEqual((await read()).cue_points[0], { at_ms: 200_000, origin: 'GIVEN', offset_ms: 0 })
  assert.deepEqual(await unfinishedOf(account, video.videoId), [])
})

test('programs that have not ended show the new package, and their channel is planned anew', async () => {
  const { account, video, give } = await aPackagedVideo()
  const startMs = api.nowMs + 3_600_000
  const create = (fromMs: number) =>
    account.admin.post(programsOf(account), {
      title: 'Harbour Nights',
      start_time: iso(fromMs),
      items: [{ video_id: video.videoId, in_ms: 100_000 }],
    })
  for (const fromMs of [startMs, startMs + 3_600_000]) assert.equal((await create(fromMs)).statusCode, 201)
  await start(account)
  api.nowMs = startMs + 1_800_000
  await sweep()

  await give([100_000])
  const [assetId] = await unfinishedOf(account, video.videoId)
  // What is scheduled meanwhile has the package that can be played.
  assert.equal((await create(startMs + 7_200_000)).statusCode, 201)
  const assets = async () => {
    const { rows } = await sql<{ assetId: string }>`
      select i.asset_id as "assetId" from program_items i join programs p on p.program_id = i.program_id
       order by p.start_ms`.execute(account.db)
    return rows.map((row) => row.assetId)
  }
  assert.deepEqual(await assets(), [video.assetId, video.assetId, video.assetId])
  await sweep()
  await finish(account, assetId!, [100_000])

  assert.deepEqual(await assets(), [video.assetId, assetId, assetId])
  const { rows } = await sql<{ changedMs: number }>`select changed_ms as "changedMs" from timelines`.execute(
    account.db,
  )
  assert.deepEqual(rows, [{ changedMs: startMs + 3_600_000 }])
})

test('a file that cannot be packaged again leaves the former package and an alert; giving the cue points again retries', async () => {
  const { account, video, give, read } = await aPackagedVideo()
  await give([100_000])
  const [first] = await unfinishedOf(account, video.videoId)
  const former = (await read()).media_url

  await fail(account, first!)

  const after = await read()
  assert.deepEqual([after.media_url, after.cue_points[0]?.offset_ms], [former, -800])
  const [message] = await alertsOf(account)
  assert.match(message ?? '', /"Video of 600 s" .*\(fetch.not_found\): The server has no such file/)

  api.nowMs += 1_000
  await give([100_000])
  const [second] = await unfinishedOf(account, video.videoId)
  assert.notEqual(second, undefined)
  assert.deepEqual(await alertsOf(account), [])
  await fail(account, second!)
  assert.equal((await alertsOf(account)).length, 1)
  api.nowMs += 1_000
  await give([100_000])
  const [third] = await unfinishedOf(account, video.videoId)
  await finish(account, third!, [100_000])
  assert.deepEqual(await alertsOf(account), [])
})

test('a slate that the platform renders has no cue points', async () => {
  const account = await anAccount()
  const { rows } = await sql<{ id: string }>`
    select video_id as id from assets where made_from = 'slate:rescue'`.execute(account.db)

  const answer = await account.admin.patch(`/api/2.1/videos/${rows[0]!.id}`, {
    duration: 32,
    cue_points_ms: [15_000],
  })

  assertProblem(answer, 409, 'cue_points.unsupported')
})
