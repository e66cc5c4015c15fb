import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeRun } from '@continuity/core/timeline/codec/run-codec'
import { sql } from 'kysely'
import { namedMedia } from '../catalog/index.ts'
import { findChannel, listShowing } from '../channels/index.ts'
import { assertEvents } from '../events/testing/assert-events.ts'
import { saveLog } from '../live/log-store.ts'
import { liveRoutes } from '../live/routes.ts'
import type { ScheduleRouteDeps } from '../schedule/index.ts'
import { aScheduleApi, type ScheduleAccount, videoItem } from '../schedule/testing/a-schedule-api.ts'
import { autoSwitch } from './auto-switch.ts'
import { overrideRoutes } from './routes.ts'

const OVERRIDE = '/api/2.3/linear_channels/override'
const RETURN = '/api/2.3/linear_channels/return_to_schedule'
const HOUR_MS = 3_600_000

interface Result {
  readonly status: number
  readonly title?: string
  readonly description?: string
  readonly linear_channel_id: string
  readonly linear_channel_override_status: string
  readonly on_air_at?: string
  readonly code?: string
}

let schedule: ScheduleRouteDeps | undefined // as the API has it
const { api, feed, sweep, anAccount, aVideo, place } = await aScheduleApi((deps) => {
  schedule = deps
  return {
    ...liveRoutes({
      ...deps,
      readLatest: async () => undefined,
      mediaBase: '/media/',
      namedRecords: {
        hasVideo: namedMedia.hasVideo,
        hasChannel: async (tx, account, id) => (await findChannel(tx, account, id)) !== undefined,
        listShowing,
      },
    }),
    ...overrideRoutes(deps),
  }
})

async function aSource({ admin, db }: ScheduleAccount, state = 'ACTIVE'): Promise<string> {
  const draft = {
    name: 'Harbour camera',
    type: 'HLS_PULL',
    metadata: { input_url: 'https://live.example/a.m3u8' },
  }
  const { live_source_id: id } = (
    await admin.post<{ live_source_id: string }>('/api/2.3/live_sources', draft)
  ).json()
  await sql`update live_sources set state = ${state} where live_source_id = ${id}`.execute(db)
  return id
}

/** A channel on air, with a program that began a minute ago, and an active source. */
async function onAir(programMs = HOUR_MS) {
  const account = await anAccount()
  const video = await aVideo(account, 600)
  const startMs = api.nowMs + 60_000
  await place(account, { startMs, endMs: startMs + programMs, items: [videoItem(video, 600)] })
  await account.admin.put(`/api/2.3/linear_channels/${account.channelId}/start`)
  await sweep()
  api.nowMs += 120_000
  await sweep()
  const sourceId = await aSource(account)
  const override = async (more: object = {}, key?: string) => {
    const body = [{ linear_channel_id: account.channelId, ...more }]
    return account.admin.post<Result[]>(
      `${OVERRIDE}/${sourceId}`,
      body,
      key === undefined ? {} : { 'idempotency-key': key },
    )
  }
  const back = () => account.admin.post<Result[]>(RETURN, [{ linear_channel_id: account.channelId }])
  const rescue = () =>
    account.admin.post<Result[]>(`${OVERRIDE}/rescue_slate`, [{ linear_channel_id: account.channelId }])
  const status = async () =>
    (await account.admin.get<Result[]>('/api/2.3/linear_channels'))
      .json()
      .find(({ linear_channel_id }) => linear_channel_id === account.channelId)
      ?.linear_channel_override_status
  /** What was published for a time. */
  const shownAt = (ms: number) => {
    const runs = feed.stateOf(account.channelId)!.timeline.runs
    const run = runs.findLast(({ startTicks }) => startTicks <= ms * 90)!
    const span = decodeRun(run.bytes)!.spans.findLast(({ startTicks }) => startTicks <= ms * 90)!
    return {
      kind: span.show.kind,
      type: span.airing.type,
      title: span.airing.program?.title ?? null,
      span,
      run,
    }
  }
  return { account, sourceId, override, back, rescue, status, shownAt }
}

test('a channel is cut to a source at the next boundary, and returns to the current point of its schedule', async () => {
  const { account, sourceId, override, back, status, shownAt } = await onAir()
  const requestedMs = api.nowMs

  const answer = await override({ title: 'Harbour live', description: 'The harbour, now.', further: 1 })

  assert.equal(answer.statusCode, 200)
  const { on_air_at: onAirAt, ...result } = answer.json()[0]!
  const onAirInMs = Date.parse(onAirAt!) - requestedMs
  assert.ok(onAirInMs >= 1_500 && onAirInMs <= 6_400, `${onAirInMs} ms`)
  assert.deepEqual(
    [result],
    [
      {
        title: 'Harbour live',
        description: 'The harbour, now.',
        status: 200,
        linear_channel_id: account.channelId,
        linear_channel_override_status: 'OVERRIDDEN',
      },
    ],
  )
  assert.equal(await status(), 'OVERRIDDEN')
  const { span, title, kind } = shownAt(requestedMs + 30_000)
  assert.deepEqual([kind, title], ['live', 'Harbour live'])
  const waitMs = span.startTicks / 90 - requestedMs
  assert.ok(waitMs > -3_200 && waitMs < 6_400, `${waitMs} ms`)
  assert.ok(span.show.kind === 'live' && span.show.sourceId === sourceId)
  assert.match(span.show.fill.path, /\/slots$/)
  assert.equal(span.show.fill.segmentTicks, span.show.slotTicks)

  api.nowMs += 300_000
  await sweep()
  const returned = await back()
  const { on_air_at: backAt, ...backResult } = returned.json()[0]!
  assert.ok(Date.parse(backAt!) > api.nowMs)
  assert.deepEqual(backResult, {
    status: 200,
    linear_channel_id: account.channelId,
    linear_channel_override_status: 'NOT_STARTED',
  })
  assert.equal(await status(), 'NOT_STARTED')
  assert.deepEqual((await back()).json()[0]?.status, 200, 'the return is committed already')
  const before = feed.updates.length
  await sweep()
  assert.ok(feed.updates.length > before, 'the rest of the day is planned')
  assert.equal(shownAt(api.nowMs + 20_000).title, 'Harbour Nights')
  const { show } = shownAt(api.nowMs + 20_000).span
  // The program began 6 minutes ago, and the source covered 5 of them.
  assert.ok(
    show.kind === 'asset' && show.firstSegment >= 360 / 3.2 - 1 && show.firstSegment <= 360 / 3.2 + 10,
    'the schedule is joined where it now is',
  )
  api.nowMs += 10_000
  assert.equal(await status(), 'SCHEDULED')
  await sweep()
  assert.equal(await status(), 'SCHEDULED')
  assert.deepEqual((await back()).json()[0], {
    status: 409,
    linear_channel_id: account.channelId,
    linear_channel_override_status: 'SCHEDULED',
    code: 'channel.not_overridden',
    message: 'The channel is SCHEDULED: there is nothing to return from.',
  })
  await assertEvents(account.db, ['override.started', 'override.ended'])
  const { rows } = await sql<{ kind: string }>`
    select kind from events where kind like 'override.%' order by number`.execute(account.db)
  assert.deepEqual(
    rows.map((row) => row.kind),
    ['override.started', 'override.ended'],
    'a repeated return is no event',
  )
})

test('an override stays when the channel is planned hourly, and another replaces it', async () => {
  const { account, override, rescue, shownAt, status } = await onAir()
  await override({ title: 'First' })
  api.nowMs += 2 * HOUR_MS
  await sweep()
  assert.equal(shownAt(api.nowMs + 60_000).title, 'First')

  const other = await aSource(account)
  const body = [{ linear_channel_id: account.channelId }]
  const second = await account.admin.post<Result[]>(`${OVERRIDE}/${other}`, body)
  assert.deepEqual([second.json()[0]?.status, second.json()[0]?.title], [200, 'Harbour camera'])
  assert.equal(shownAt(api.nowMs + 30_000).title, 'Harbour camera')
  api.nowMs += 60_000

  const rescued = (await rescue()).json()[0]!
  assert.deepEqual([rescued.status, rescued.title, rescued.description], [200, 'One', ''])
  assert.deepEqual([shownAt(api.nowMs + 30_000).type, await status()], ['SLATE', 'OVERRIDDEN'])
})

test('every channel has a result of its own', async () => {
  const { account, sourceId } = await onAir()
  const { channelId, admin } = account
  const offline = (
    await admin.post<{ linear_channel_id: string }>('/api/2.3/linear_channels', { title: 'Off' })
  ).json().linear_channel_id
  const unknown = '018f0000-0000-7000-8000-000000000000'
  const body = [unknown, 'no id', offline, channelId].map((id) => ({ linear_channel_id: id }))

  const results = (await admin.post<Result[]>(`${OVERRIDE}/${sourceId}`, body)).json()

  assert.deepEqual(
    results.map(({ status, code, linear_channel_override_status: it }) => [status, code, it]),
    [
      [404, 'channel.not_found', 'NOT_STARTED'],
      [404, 'channel.not_found', 'NOT_STARTED'],
      [409, 'channel.not_on_air', 'NOT_STARTED'],
      [200, undefined, 'OVERRIDDEN'],
    ],
  )
  const idle = await aSource(account, 'IDLE')
  const errorOf = async (id: string) => {
    const answer = await admin.post<{ code: string }>(`${OVERRIDE}/${id}`, body)
    return [answer.statusCode, answer.json().code]
  }
  assert.deepEqual(await errorOf(idle), [409, 'live_source.not_active'])
  assert.deepEqual(await errorOf(unknown), [404, 'live_source.not_found'])
})

test('without the feed nothing is cut; a cut that is not acknowledged is 503, and published later', async () => {
  const { override, shownAt, status } = await onAir()
  feed.isUp = false
  const rejected = await override()
  assert.deepEqual([rejected.statusCode, await status()], [503, 'SCHEDULED'])

  feed.isUpKnown = true
  const lost = (await override({ title: 'Late' })).json()[0]!
  assert.deepEqual(
    [lost.status, lost.code, lost.linear_channel_override_status],
    [503, 'feed.unavailable', 'OVERRIDDEN'],
  )
  feed.isUp = true
  feed.isUpKnown = undefined
  api.nowMs += 3_000
  await sweep()
  assert.equal(shownAt(api.nowMs + 30_000).title, 'Late')
})

test('a call that is repeated with its key cuts only channels that were not cut', async () => {
  const { account, override, shownAt, sourceId } = await onAir()
  const runsOf = () => feed.stateOf(account.channelId)!.timeline.version
  const first = await override({ title: 'Once' }, 'key-1')
  const version = runsOf()
  api.nowMs += 60_000

  const again = await override({ title: 'Once' }, 'key-1')
  assert.deepEqual([again.json(), runsOf()], [first.json(), version])
  const other = await override({ title: 'Twice' }, 'key-1')
  assert.equal(other.json()[0]?.status, 422)
  assert.equal(shownAt(api.nowMs).title, 'Once')
  assert.ok(sourceId)
})

test('a source that a channel shows cannot be deactivated, and cuts are in the audit record', async () => {
  const { account, sourceId, override, back } = await onAir()
  await override({ title: 'Harbour live' })
  const deactivate = () =>
    account.admin.put<{ code: string; detail: string }>(`/api/2.3/live_sources/${sourceId}/deactivate`)

  const rejected = await deactivate()
  assert.deepEqual([rejected.statusCode, rejected.json().code], [409, 'live_source.in_use'])
  assert.ok(rejected.json().detail.includes(account.channelId))
  await back()
  assert.equal((await deactivate()).statusCode, 200)

  const { rows } = await sql<{ readonly action: string; readonly after: { title?: string } }>`
    select action, after from audit_entries
     where subject_id = ${account.channelId} and action in ('channel.override', 'channel.return')
     order by action`.execute(account.db)
  assert.deepEqual(
    rows.map(({ action, after }) => [action, after.title]),
    [
      ['channel.override', 'Harbour live'],
      ['channel.return', undefined],
    ],
  )
})

test('the as-run record waits for the log, and has the source, its slate and what came after as they were shown', async () => {
  const { account, sourceId, override, back, shownAt } = await onAir()
  await override({ title: 'Harbour live' })
  const { span } = shownAt(api.nowMs + 30_000)
  assert.ok(span.show.kind === 'live')
  const { firstSlot } = span.show
  api.nowMs += 64_000
  await back()
  api.nowMs += 64_000
  const recorded = async () => {
    await sql`
      update due_rows set due_ms = 0 where kind = 'record_as_run' and subject_id = ${account.channelId}`.execute(
      account.db,
    )
    await sweep()
    const { rows } = await sql<{ readonly type: string; readonly segments: number }>`
      select type, segments from as_run_entries
       where linear_channel_id = ${account.channelId} and start_ticks >= ${span.startTicks}
       order by start_ticks`.execute(account.db)
    return rows.map(({ type, segments }) => `${type} ${segments}`)
  }
  assert.deepEqual(await recorded(), [], 'the log of the source is empty')

  const range = (first: number, end: number) => ({
    firstSlot: firstSlot + first,
    endSlot: firstSlot + end,
    epoch: 1,
    key: 'k',
  })
  const log = {
    token: 1,
    folder: 'live/a/s',
    slotMs: 3_200,
    knownFrom: firstSlot,
    ranges: [range(0, 4), range(6, 40)],
    newest: null,
  }
  await account.db
    .transaction()
    .execute((tx) => saveLog(tx, { ...account, sourceId }, undefined, { input: 0, log, storedMs: api.nowMs }))

  const rows = await recorded()
  assert.deepEqual(rows.slice(0, 2), ['LIVE 4', 'SLATE 2'])
  assert.match(rows[2]!, /^LIVE 1[3-6]$/)
  // The numbers after it are final now, and are published before the log is purged.
  const { run } = shownAt(api.nowMs)
  assert.ok(run.discontinuity !== null && run.discontinuity > 3)
  const { rows: kept } = await sql<{ readonly discontinuity: number }>`
    select discontinuity from runs where linear_channel_id = ${account.channelId} and number = ${run.number}`.execute(
    account.db,
  )
  assert.equal(kept[0]?.discontinuity, run.discontinuity)
})

test('channels of a source follow its signal, and what an operator did in between stays', async () => {
  const { account, sourceId, back, shownAt, status } = await onAir()
  const { accountId, channelId, db } = account
  const offline = (
    await account.admin.post<{ linear_channel_id: string }>('/api/2.3/linear_channels', { title: 'Off' })
  ).json().linear_channel_id
  await sql`
    update live_sources set enable_auto_live_switch_on_signal = true,
           auto_switch_channel_ids = ${[offline, channelId]}::uuid[] where live_source_id = ${sourceId}`.execute(
    db,
  )
  const run = autoSwitch({ ...schedule!, isFeedUp: () => true })
  const follow = async (signal: 'on' | 'off') => {
    const job = { data: { live_source_id: sourceId, signal }, accountId, requestId: null, nowMs: api.nowMs }
    const logger = { debug() {}, info() {}, warn() {}, error() {} }
    await run({ ...job, db, logger, signal: AbortSignal.timeout(10_000) } as unknown as Parameters<
      typeof run
    >[0])
  }
  await follow('on')
  assert.deepEqual([await status(), shownAt(api.nowMs + 20_000).title], ['OVERRIDDEN', 'Harbour camera'])
  const { version } = feed.stateOf(channelId)!.timeline
  await follow('on')
  assert.equal(feed.stateOf(channelId)!.timeline.version, version, 'the same job twice is one cut')
  api.nowMs += 60_000
  await follow('off')
  assert.equal(await status(), 'NOT_STARTED')
  api.nowMs += 60_000
  await sweep()

  const other = await aSource(account)
  await account.admin.post(`${OVERRIDE}/${other}`, [{ linear_channel_id: channelId, title: 'By hand' }])
  await follow('off')
  assert.equal(shownAt(api.nowMs + 20_000).title, 'By hand')
  await back()
  await sql`update live_sources set state = 'ERROR' where live_source_id = ${sourceId}`.execute(db)
  api.nowMs += 60_000
  await follow('on')
  assert.equal(await status(), 'SCHEDULED', 'the signal had gone again')
})

test('concurrent operators: every response is true, and the channel has one history', async () => {
  const { account, override, rescue, back, status } = await onAir()
  const runs = async () => {
    const { rows } = await sql<{ readonly number: number }>`
      select number from runs where linear_channel_id = ${account.channelId} order by number`.execute(
      account.db,
    )
    return rows.map(({ number }) => number)
  }
  let succeeded = 0
  for (let round = 0; round < 25; round += 1) {
    const before = (await runs()).length
    const results = await Promise.all([override(), back(), rescue(), back()])
    const statuses = results.map((answer) => answer.json()[0]!)
    for (const { status: code } of statuses) assert.ok(code === 200 || code === 409, `${code}`)
    const cuts = statuses.filter(
      (it) => it.status === 200 && it.linear_channel_override_status === 'OVERRIDDEN',
    )
    assert.equal(cuts.length, 2, 'a channel on air can always be cut')
    succeeded += statuses.filter((it) => it.status === 200).length
    const numbers = await runs()
    assert.equal(new Set(numbers).size, numbers.length)
    assert.ok(numbers.length >= before + 2)
    // The channel's status matches its last run.
    const { rows } = await sql<{ readonly kind: string }>`
      select case when airings -> -1 ->> 0 is not null then 'live' else 'slate' end as kind
        from runs where linear_channel_id = ${account.channelId} and end_sequence > first_sequence
       order by number desc limit 1`.execute(account.db)
    const channel = (await findChannel(account.db, account.accountId, account.channelId))!
    assert.equal(rows[0]?.kind === 'live', channel.overrideSourceId !== null)
    api.nowMs += 20_000
    await sweep()
  }
  assert.ok(succeeded > 50)
  assert.notEqual(await status(), undefined)
})
