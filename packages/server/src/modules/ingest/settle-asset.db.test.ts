import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { listDeadLetters } from '../../platform/jobs/dead-letters.ts'
import { getDefaultSlates, isDefaultSlate } from '../accounts/read.ts'
import { type Asset, findAsset, markEnded } from '../assets/asset-store.ts'
import type { MadeAsset } from '../assets/end-asset.ts'
import { makeDefaultMedia } from '../assets/make-default-media.ts'
import { reportProgress } from '../assets/progress-reporter.ts'
import { mediaOfAssets } from '../assets/read.ts'
import { assertEvents } from '../events/testing/assert-events.ts'
import { failAsset, failDeadLetters, failRequest } from './fail-dead-letters.ts'
import { settleFailed, settleReady } from './settle-asset.ts'
import { aFinishingRun, anIngestApi, aProgram, aVideo, type IngestAccount } from './testing/an-ingest-api.ts'

const { api, anAccount, submit, statusOf, process, database } = await anIngestApi()

const made: MadeAsset = {
  path: 'assets/a/b/c',
  durationTicks: 5_400_000,
  segmentCount: 19,
  images: [],
  found: { chaptersMs: [], proposedMs: [] },
  givenMs: null,
}
const reason = { code: 'media.no_video', message: 'There is no picture in it.' }

/** A request of these videos, and their assets in the same order. */
async function aRequest(account: IngestAccount, names: readonly string[]) {
  const videos = names.map((name) => aVideo(name))
  const requestId = await submit(account, aProgram(account.channelId, { videos }))
  await process(account, requestId)
  const { rows } = await sql<{ id: string }>`
    select asset_id as id from ingest_items where request_id = ${requestId} order by place`.execute(
    account.db,
  )
  const assets = await Promise.all(rows.map(({ id }) => findAsset(account.db, account.accountId, id)))
  return { requestId, assets: assets as Asset[] }
}

const actorOf = ({ accountId }: IngestAccount) => ({
  accountId,
  userId: null,
  requestId: null,
  nowMs: api.nowMs,
})
const ready = (account: IngestAccount, asset: Asset, media: MadeAsset = made) =>
  account.db.transaction().execute((tx) => settleReady(tx, actorOf(account), asset, media))
const failed = (account: IngestAccount, asset: Asset) =>
  account.db.transaction().execute((tx) => settleFailed(tx, actorOf(account), asset, reason))
/** As soon as another transaction waits for a lock. */
async function isWaiting(account: IngestAccount): Promise<'waits'> {
  const { rows } = await sql`select from pg_locks where not granted`.execute(account.db)
  return rows.length > 0 ? 'waits' : isWaiting(account)
}
const withFill = (account: IngestAccount) => makeDefaultMedia(aFinishingRun(account, {}, api.nowMs))

test('the parts of a package are those of the media that a schedule plays', async () => {
  const account = await anAccount()
  const { assets } = await aRequest(account, ['C-1', 'C-2'])
  const cuts = [{ segment: 7, ticks: 2_016_003 }]

  await ready(account, assets[0]!, { ...made, cuts })
  await ready(account, assets[1]!)

  const ids = assets.map(({ assetId }) => assetId)
  const media = await mediaOfAssets(account.db, account.accountId, ids)
  const plain = { path: made.path, segmentTicks: 288_000, segmentCount: 19, durationTicks: 5_400_000 }
  assert.deepEqual(
    ids.map((id) => media.get(id)),
    [{ ...plain, cuts }, plain],
  )
})

test('a video whose asset is ready is public', async () => {
  const account = await anAccount()
  const { requestId, assets } = await aRequest(account, ['R-1'])

  await ready(account, assets[0]!)

  const status = await statusOf(account, requestId)
  assert.deepEqual(
    [status.state, status.items[0]?.state, status.items[0]?.progress],
    ['SCHEDULED', 'READY', 1],
  )
  const visitor = api.userOf(account.accountId, ['ROLE_ANONYMOUS'])
  const video = await visitor.get(`/api/2.1/videos/${status.items[0]?.video_id}?media_type=hls`)
  const { media_url, duration } = JSON.parse(video.body)
  assert.deepEqual([media_url, duration], ['https://media.example/assets/a/b/c/main.m3u8', 60])
  await assertEvents(account.db, ['request.created', 'request.changed', 'item.changed', 'program.placed'])
  const { rows } = await sql<{ state: string }>`
    select kind || ' ' || (data ->> 'state') as state from events
     where subject_id = ${requestId} order by number`.execute(account.db)
  assert.deepEqual(
    rows.map((row) => row.state),
    [
      'request.created QUEUED',
      'item.changed QUEUED',
      'request.changed PROCESSING',
      'item.changed READY',
      'request.changed SCHEDULED',
    ],
  )
})

test('a video that failed leaves a warning where there is time fill, and fails the request where there is none', async () => {
  const account = await anAccount()
  const first = await aRequest(account, ['F-1', 'F-2'])
  await failed(account, first.assets[0]!)

  const without = await statusOf(account, first.requestId)
  assert.deepEqual([without.state, without.reason?.code], ['FAILED', 'request.no_fill'])

  await withFill(account)
  const second = await aRequest(account, ['F-3', 'F-4'])
  await failed(account, second.assets[0]!)
  const one = await statusOf(account, second.requestId)
  assert.deepEqual([one.state, one.warnings.map(({ code }) => code)], ['PROCESSING', ['item.failed']])
  assert.deepEqual(one.items[0]?.reason, reason)

  await failed(account, second.assets[1]!)
  const both = await statusOf(account, second.requestId)
  assert.deepEqual([both.state, both.reason?.code], ['FAILED', 'request.nothing_to_play'])
})

test('an asset ends only once', async () => {
  const account = await anAccount()
  const { requestId, assets } = await aRequest(account, ['O-1'])
  await ready(account, assets[0]!)

  await failed(account, assets[0]!)

  assert.equal((await statusOf(account, requestId)).items[0]?.state, 'READY')
})

test('an asset that was cancelled stays cancelled when it is made or fails after all, and its video gets no media', async () => {
  for (const end of [ready, failed]) {
    const account = await anAccount()
    const { assets } = await aRequest(account, ['N-1'])
    const second = await submit(account, aProgram(account.channelId, { videos: [aVideo('N-2')] }))
    await process(account, second)
    const [asset] = assets
    assert.equal((await findAsset(account.db, account.accountId, asset!.assetId))?.state, 'CANCELLED')

    await end(account, asset!)

    assert.equal((await findAsset(account.db, account.accountId, asset!.assetId))?.state, 'CANCELLED')
    const video = await account.admin.get(`/api/2.1/videos/${asset!.videoId}?media_type=hls`)
    const { status, media_url } = JSON.parse(video.body)
    assert.deepEqual([status, media_url], ['PROCESSING', null])
  }
})

test('a video with media that is submitted with another file keeps status, length and media until that is ready', async () => {
  const account = await anAccount()
  const { assets } = await aRequest(account, ['K-1'])
  await ready(account, assets[0]!)
  api.nowMs += 1_000
  const newer = aVideo('K-1', { video_url: 'https://partner.example/newer.mp4', duration: 50, title: 'New' })

  await process(account, await submit(account, aProgram(account.channelId, { videos: [newer] })))

  const { body } = await account.admin.get(`/api/2.1/videos/${assets[0]!.videoId}?media_type=hls`)
  const { status, duration, media_url, title } = JSON.parse(body)
  assert.deepEqual(
    { status, duration, media_url, title },
    {
      status: 'READY',
      duration: 60,
      media_url: 'https://media.example/assets/a/b/c/main.m3u8',
      title: 'New',
    },
  )
})

test('a failed video waits for media again when it is submitted again', async () => {
  const account = await anAccount()
  const { assets } = await aRequest(account, ['V-1'])
  await failed(account, assets[0]!)
  const statusOfVideo = async () =>
    JSON.parse((await account.admin.get(`/api/2.1/videos/${assets[0]!.videoId}`)).body).status
  assert.equal(await statusOfVideo(), 'ERROR')

  await aRequest(account, ['V-1'])

  assert.equal(await statusOfVideo(), 'PROCESSING')
})

test('the channels of an asset are locked in the order of their ids: two assets that end at once never deadlock', async () => {
  const account = await anAccount()
  const other = await account.admin.post<{ linear_channel_id: string }>('/api/2.3/linear_channels', {
    title: 'Two',
  })
  const [low, high] = [account.channelId, other.json().linear_channel_id].toSorted()
  // The request of the higher channel is the older one.
  const assets: Asset[] = []
  for (const channelId of [high!, low!]) {
    api.nowMs += 1_000
    assets.push(...(await aRequest({ ...account, channelId }, ['B-1'])).assets)
  }
  const [asset] = assets
  assert.equal(assets[1]?.assetId, asset?.assetId)
  const isFree = async (channelId: string) => {
    const { rows } = await sql`
      select from timelines where linear_channel_id = ${channelId} for update skip locked`.execute(account.db)
    return rows.length === 1
  }

  const { ended, first, isHighFree } = await account.db.transaction().execute(async (tx) => {
    await sql`select from timelines where linear_channel_id = ${low} for update`.execute(tx)
    const end = ready(account, asset!).then(() => 'ended' as const)
    return {
      ended: end,
      first: await Promise.race([end, isWaiting(account)]),
      isHighFree: await isFree(high!),
    }
  })

  assert.deepEqual([first, isHighFree, await ended], ['waits', true, 'ended'])
})

test('a failed request has lost its time slot: the same body is a new request', async () => {
  const account = await anAccount()
  const { requestId, assets } = await aRequest(account, ['T-1'])
  await failed(account, assets[0]!)

  const again = await aRequest(account, ['T-1'])

  assert.notEqual(again.requestId, requestId)
  assert.notEqual(again.assets[0]?.assetId, assets[0]?.assetId)
  assert.equal(again.assets[0]?.videoId, assets[0]?.videoId)
})

test('the work on an asset is aborted within a second of its cancellation', async () => {
  const account = await anAccount()
  const { assets } = await aRequest(account, ['C-1'])
  await using progress = reportProgress(account.db, assets[0]!, {
    clock: () => api.nowMs,
    onState: async () => {},
    onFault: (error) => assert.fail(String(error)),
  })
  const aborted = new Promise<'aborted'>((resolve) =>
    progress.unwanted.addEventListener('abort', () => resolve('aborted')),
  )
  const isBack = async (): Promise<'back'> => {
    const asset = await findAsset(account.db, account.accountId, assets[0]!.assetId)
    return asset?.state === 'CANCELLED' ? isBack() : 'back'
  }

  const second = await submit(account, aProgram(account.channelId, { videos: [aVideo('C-2')] }))
  await process(account, second)

  assert.equal(await Promise.race([aborted, isBack()]), 'aborted')
})

test('an asset that ends while a cancellation waits for it is not cancelled', async () => {
  const account = await anAccount()
  const { assets } = await aRequest(account, ['E-1'])
  const second = await submit(account, aProgram(account.channelId, { videos: [aVideo('E-2')] }))

  const { first, replacing } = await account.db.transaction().execute(async (tx) => {
    await sql`select from assets where asset_id = ${assets[0]!.assetId} for update`.execute(tx)
    const replaced = process(account, second).then(() => 'replaced' as const)
    const waits = await Promise.race([replaced, isWaiting(account)])
    await markEnded(tx, assets[0]!, 'FAILED', reason, api.nowMs)
    return { first: waits, replacing: replaced }
  })

  assert.deepEqual([first, await replacing], ['waits', 'replaced'])
  assert.equal((await findAsset(account.db, account.accountId, assets[0]!.assetId))?.state, 'FAILED')
})

test('an asset whose job is a dead letter is failed', async () => {
  const account = await anAccount()
  const { requestId, assets } = await aRequest(account, ['D-1'])
  await bury(account, assets[0]!.assetId)

  await database.platform.transaction().execute(failDeadLetters)

  const { rows } = await sql<{ id: string }>`
    select data #>> '{data,asset_id}' as id from pgboss.job where name = 'fail_asset'
       and data ->> 'accountId' = ${account.accountId}`.execute(database.platform)
  assert.deepEqual(rows, [{ id: assets[0]!.assetId }])
  await failAsset(aFinishingRun(account, { asset_id: rows[0]!.id }, api.nowMs))
  assert.equal((await statusOf(account, requestId)).items[0]?.reason?.code, 'asset.gave_up')
})

test('dead letters are processed oldest first, a bounded number at a time and each once', async () => {
  const account = await anAccount()
  const { requestId, assets } = await aRequest(account, ['L-1'])
  // The oldest: a sweep that reads only the newest would never process it.
  await bury(account, assets[0]!.assetId)
  const others = Array.from({ length: 449 }, () => randomUUID())
  await bury(account, others)

  const rolledBack = database.platform.transaction().execute(async (tx) => {
    await failDeadLetters(tx)
    throw new Error('killed')
  })
  await assert.rejects(rolledBack, /killed/)
  const left = [await countLetters(account)]
  while (await database.platform.transaction().execute(failDeadLetters))
    left.push(await countLetters(account))
  left.push(await countLetters(account))

  assert.deepEqual(left, [450, 350, 250, 150, 50, 0])
  const { rows } = await sql<{ id: string }>`
    select data #>> '{data,asset_id}' as id from pgboss.job where name = 'fail_asset'
       and data ->> 'accountId' = ${account.accountId}`.execute(database.platform)
  assert.deepEqual(rows.map(({ id }) => id).toSorted(), [assets[0]!.assetId, ...others].toSorted())
  await failAsset(aFinishingRun(account, { asset_id: assets[0]!.assetId }, api.nowMs))
  assert.equal((await statusOf(account, requestId)).state, 'FAILED')
})

test('a job that fails a dead asset is enqueued again when its own attempts are used up', async () => {
  const account = await anAccount()
  const id = randomUUID()
  await bury(account, id, 'fail_asset')
  await bury(account, id, 'fail_request', 'request_id')

  await database.platform.transaction().execute(failDeadLetters)

  const { rows } = await sql`
    select name, data -> 'data' as data from pgboss.job
     where data ->> 'accountId' = ${account.accountId} and name <> 'dead_letters' order by name`.execute(
    database.platform,
  )
  assert.deepEqual(rows, [
    { name: 'fail_asset', data: { asset_id: id } },
    { name: 'fail_request', data: { request_id: id } },
  ])
})

type DefaultSlates = Awaited<ReturnType<typeof getDefaultSlates>>

test('each slate of an account is the default of its channels as soon as it is ready', async () => {
  const account = await anAccount()
  await withFill(account)
  const { rows } = await sql<{ id: string; videoId: string; kind: keyof DefaultSlates }>`
    select asset_id as id, video_id as "videoId",
           case made_from when 'slate:rescue' then 'rescue' when 'slate:ad' then 'ad' else 'timeFill' end as kind
      from assets`.execute(account.db)
  let expected: DefaultSlates = { rescue: null, timeFill: null, ad: null }
  assert.deepEqual(await getDefaultSlates(account.db, account.accountId), expected)

  for (const { id, videoId, kind } of rows) {
    await ready(account, (await findAsset(account.db, account.accountId, id))!)
    expected = { ...expected, [kind]: videoId }
    assert.deepEqual(await getDefaultSlates(account.db, account.accountId), expected)
    assert.equal(await isDefaultSlate(account.db, account.accountId, videoId), true)
  }
  assert.equal(rows.length, 3)
  assert.equal(await isDefaultSlate(account.db, account.accountId, randomUUID()), false)
})

test('a channel whose slate becomes ready is planned anew with it, from a minute ahead', async () => {
  const account = await anAccount()
  const { assets } = await aRequest(account, ['Z-1'])
  const patched = await account.admin.patch(`/api/2.3/linear_channels/${account.channelId}`, {
    rescue_slate_video_id: assets[0]!.videoId,
  })
  assert.equal(patched.statusCode, 200, patched.body)
  await sql`update timelines set changed_ms = null, version = 1`.execute(account.db)

  await ready(account, assets[0]!)

  const { rows } = await sql<{ changedMs: number; dueMs: number }>`
    select changed_ms as "changedMs", due_ms as "dueMs"
      from timelines join due_rows on kind = 'plan_channel' and subject_id = linear_channel_id::text`.execute(
    account.db,
  )
  assert.deepEqual(rows, [{ changedMs: api.nowMs + 65_000, dueMs: api.nowMs }])
})

test('a playable video lasts at least a second, however short its file is', async () => {
  const account = await anAccount()
  const { assets } = await aRequest(account, ['T-9'])

  await ready(account, assets[0]!, { ...made, durationTicks: 44_999 })

  const { body } = await account.admin.get(`/api/2.1/videos/${assets[0]!.videoId}`)
  assert.equal(JSON.parse(body).duration, 1)
})

test('an account gets its three slates only once', async () => {
  const account = await anAccount()

  await makeDefaultMedia(aFinishingRun(account, {}, api.nowMs))
  await makeDefaultMedia(aFinishingRun(account, {}, api.nowMs))

  const { rows } = await sql<{ from: string }>`
    select made_from as "from" from assets order by made_from`.execute(account.db)
  assert.deepEqual(
    rows.map(({ from }) => from),
    ['slate:ad', 'slate:rescue', 'slate:time_fill'],
  )
})

/** Like the queue does with a job whose attempts are used up. */
async function bury(
  { accountId }: IngestAccount,
  ids: string | readonly string[],
  kind = 'package_asset',
  field = 'asset_id',
): Promise<void> {
  const envelopes = [ids]
    .flat()
    .map((id) => JSON.stringify({ accountId, requestId: null, data: { [field]: id } }))
  await sql`
    insert into pgboss.job (name, data, source_name, source_id, source_retry_count)
    select 'dead_letters', envelope::jsonb, ${kind}, gen_random_uuid(), 10
      from unnest(${envelopes}::text[]) as envelope`.execute(database.platform)
}

async function countLetters({ accountId }: IngestAccount): Promise<number> {
  const letters = await listDeadLetters(database.platform, 1_000)
  return letters.filter((letter) => letter.accountId === accountId).length
}

test('an asset whose video is deleted meanwhile fails, whether it is made or fails', async () => {
  for (const end of [ready, failed]) {
    const account = await anAccount()
    const { requestId, assets } = await aRequest(account, ['X-1'])
    await account.admin.delete(`/api/2.1/videos/${assets[0]!.videoId}`)

    await end(account, assets[0]!)

    const { items, state } = await statusOf(account, requestId)
    assert.deepEqual([items[0]?.state, state], ['FAILED', 'FAILED'])
  }
})

test('a file that is being packaged again is played from the package that it has', async () => {
  const account = await anAccount()
  const { assets } = await aRequest(account, ['A-1'])
  await ready(account, assets[0]!)
  api.nowMs += 1_000
  const given = await account.admin.patch(`/api/2.1/videos/${assets[0]!.videoId}`, {
    cue_points_ms: [25_000],
  })
  assert.equal(given.statusCode, 200, given.body)

  const start_time = new Date(api.nowMs + 86_400_000).toISOString()
  const schedule = { start_time, duration_ms: 1_800_000 }
  const again = await submit(account, aProgram(account.channelId, { videos: [aVideo('A-1')], schedule }))
  await process(account, again)

  const { rows } = await sql<{ state: string }>`
    select state from assets where video_id = ${assets[0]!.videoId} order by asset_id`.execute(account.db)
  assert.deepEqual(
    rows.map(({ state }) => state),
    ['READY', 'QUEUED'],
  )
  const { state, items } = await statusOf(account, again)
  assert.deepEqual([state, items[0]?.state], ['SCHEDULED', 'READY'])
})

test('the file of a video that was submitted later stays, whichever is ready first', async () => {
  const account = await anAccount()
  const first = await aRequest(account, ['W-1'])
  api.nowMs += 1_000
  const videos = [aVideo('W-1', { video_url: 'https://partner.example/newer.mp4' })]
  const second = await submit(account, aProgram(account.channelId, { videos, source_id: 'north' }))
  await process(account, second)
  const { rows } = await sql<{ id: string }>`
    select asset_id as id from assets where made_from like '%newer%'`.execute(account.db)
  const newer = (await findAsset(account.db, account.accountId, rows[0]!.id)) as Asset

  await ready(account, newer, { ...made, path: 'assets/newer' })
  await sql`update assets set state = 'PACKAGING' where asset_id = ${first.assets[0]!.assetId}`.execute(
    account.db,
  )
  await ready(account, first.assets[0]!)

  const video = await account.admin.get(`/api/2.1/videos/${newer.videoId}?media_type=hls`)
  assert.equal(JSON.parse(video.body).media_url, 'https://media.example/assets/newer/main.m3u8')
})

test('a request that is replaced while its items are started starts no more of them, and keeps none', async () => {
  const account = await anAccount()
  const videos = ['Q-1', 'Q-2', 'Q-3'].map((name) => aVideo(name))
  const first = await submit(account, aProgram(account.channelId, { videos }))
  const second = await submit(account, aProgram(account.channelId, { videos: [aVideo('Q-9')] }))

  await process(account, second)
  await process(account, first)

  const { rows } = await sql<{ from: string }>`select made_from as "from" from assets`.execute(account.db)
  assert.deepEqual(rows, [{ from: 'https://partner.example/Q-9.mp4' }])
})

test('a request whose job is a dead letter fails, and frees its time slot', async () => {
  const account = await anAccount()
  const requestId = await submit(account, aProgram(account.channelId))

  await failRequest(aFinishingRun(account, { request_id: requestId }, api.nowMs))

  assert.equal((await statusOf(account, requestId)).reason?.code, 'request.gave_up')
  assert.notEqual(await submit(account, aProgram(account.channelId)), requestId)
})

test('a slate of the account has no name of a partner’s video', async () => {
  const account = await anAccount()
  await makeDefaultMedia(aFinishingRun(account, {}, api.nowMs))

  const { rows } = await sql`select source_id, video_source_id from videos`.execute(account.db)

  const nameless = { source_id: null, video_source_id: null }
  assert.deepEqual(rows, [nameless, nameless, nameless])
})

test('of many unknown fields the first are reported, with the number of the others', async () => {
  const account = await anAccount()
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`field_${i}`, i]))
  const videos = [{ ...aVideo('E-1'), ...many }]

  const { warnings } = await statusOf(account, await submit(account, aProgram(account.channelId, { videos })))

  assert.equal(warnings.length, 101)
  assert.match(warnings.at(-1)!.message, /400 more/)
})
