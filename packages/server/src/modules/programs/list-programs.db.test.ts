import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { assertProblem } from '../../http/testing/wire.ts'
import { podItem, type ScheduleAccount, videoItem } from '../schedule/testing/a-schedule-api.ts'
import { aProgramApi, type Hit, programsOf } from './testing/a-program-api.ts'

const system = await aProgramApi()
const { api, anAccount, aVideo, place, sweep, start, list, now, aSource } = system

const HOUR_MS = 3_600_000
const iso = (ms: number) => new Date(ms).toISOString()
const msOf = (time: string | null | undefined) => Date.parse(String(time))

/** A channel on air with programs of an hour, one after the other, the first of which starts in two minutes. */
async function onAir(count: number) {
  const account = await anAccount()
  const video = await aVideo(account, 600)
  const startMs = api.nowMs + 120_000
  const programs: string[] = []
  for (let at = 0; at < count; at += 1) {
    const from = startMs + at * HOUR_MS
    const items = [videoItem(video, 600, 'Tide'), podItem(60)]
    programs.push(
      await place(account, { title: `Program ${at}`, startMs: from, endMs: from + HOUR_MS, items }),
    )
  }
  await start(account)
  return { account, video, startMs, programs }
}

const titlesAndStates = (hits: readonly Hit[]) => hits.map(({ title, state }) => [title, state])

test('a program that is on at the begin of the range is listed with its own start', async () => {
  const account = await anAccount()
  const video = await aVideo(account, 600)
  const startMs = api.nowMs + 72 * HOUR_MS
  const window = { startMs, endMs: startMs + HOUR_MS, items: [videoItem(video, 600), podItem(60)] }
  await place(account, { ...window, title: 'Later' })

  const from = startMs + 20 * 60_000
  const { hits } = await list(account, { from: iso(from), to: iso(from + HOUR_MS), components: 'true' })

  assert.deepEqual(
    hits.map(({ start_time, end_time, components }) => [start_time, end_time, components?.[0]?.type]),
    [[iso(startMs), iso(startMs + HOUR_MS), 'VIDEO']],
  )
})

test('the past is what aired and the future what is scheduled, with nothing missing or doubled at now', async () => {
  const { account, startMs, programs, video } = await onAir(3)
  const laterMs = startMs + 72 * HOUR_MS
  const later = await place(account, {
    title: 'Later',
    startMs: laterMs,
    endMs: laterMs + HOUR_MS,
    items: [videoItem(video, 600, 'Tide')],
  })
  await sweep()
  const range = { from: iso(startMs - HOUR_MS), to: iso(laterMs + HOUR_MS) }

  // Half a second before the end of the first program, at it, and after it: as-run is recorded in between.
  for (const [offsetMs, states] of [
    [-500, ['ON_AIR', 'COMMITTED']],
    [2_000, ['AIRED', 'ON_AIR']],
    [700_000, ['AIRED', 'ON_AIR']],
  ] as const) {
    api.nowMs = startMs + HOUR_MS + offsetMs
    for (const isSwept of [false, true]) {
      if (isSwept) await sweep()
      const { hits, total } = await list(account, range)
      assert.deepEqual(
        hits.map((hit) => hit.program_id),
        [...programs, later],
      )
      assert.deepEqual(
        hits.map(({ state }) => state),
        [...states, 'COMMITTED', 'PLANNED'],
        `at ${offsetMs}`,
      )
      assert.equal(total, 4)
    }
  }
  const { hits } = await list(account, range)
  assert.ok(Math.abs(msOf(hits[0]!.start_time) - startMs) < 1_700)
  assert.ok(Math.abs(msOf(hits[0]!.end_time) - (startMs + HOUR_MS)) < 1_700)
  // What is to come has the times of its window.
  assert.deepEqual(
    [hits[2]!.start_time, hits[2]!.end_time],
    [iso(startMs + 2 * HOUR_MS), iso(startMs + 3 * HOUR_MS)],
  )
  assert.deepEqual([hits[3]!.start_time, hits[3]!.end_time], [iso(laterMs), iso(laterMs + HOUR_MS)])
  assert.equal('components' in hits[0]!, false)
})

test('components are listed where they are wanted, in order and without gaps', async () => {
  const { account, startMs, video } = await onAir(1)
  api.nowMs = startMs + 300_000

  const { hits } = await list(account, { components: 'true' })

  const { components = [] } = hits[0]!
  assert.deepEqual(
    components.slice(0, 2).map(({ type, title, reference_id }) => [type, title, reference_id]),
    [
      ['VIDEO', 'Tide', video.videoId],
      ['AD_POD', null, null],
    ],
  )
  assert.ok(components.slice(2).every(({ type }) => type === 'TIME_FILL'))
  for (const [at, next] of components.slice(1).entries())
    assert.equal(components[at]!.end_time, next.start_time)
})

test('a program is listed as soon as it is placed, before the timeline is planned with it', async () => {
  const { account, startMs, video } = await onAir(1)
  api.nowMs = startMs + 60_000
  const fromMs = startMs + 2 * HOUR_MS
  const items = [videoItem(video, 600)]
  await place(account, { title: 'New', startMs: fromMs, endMs: fromMs + HOUR_MS, items })

  const before = await list(account)
  await sweep()
  const after = await list(account)

  assert.deepEqual(titlesAndStates(before.hits), [
    ['Program 0', 'ON_AIR'],
    ['New', 'PLANNED'],
  ])
  assert.deepEqual(titlesAndStates(after.hits), [
    ['Program 0', 'ON_AIR'],
    ['New', 'COMMITTED'],
  ])
})

/** A request that failed after its program was placed, with the program that took its time slot. */
async function aFailedRequest({ db, accountId, channelId }: ScheduleAccount, startMs: number) {
  const [programId, requestId] = [randomUUID(), randomUUID()]
  await sql`
    insert into programs (account_id, program_id, linear_channel_id, source_id, title, description, start_ms, end_ms,
                          details, removed_ms, created_ms)
    values (${accountId}, ${programId}, ${channelId}, 'north', 'Lost', '', ${startMs}, ${startMs + HOUR_MS}, '{}', 1, 0)`.execute(
    db,
  )
  await sql`
    insert into ingest_requests (account_id, request_id, linear_channel_id, source_id, program_title, program_description,
                                 start_ms, end_ms, content_hash, state, reason_code, reason_message, warnings,
                                 program_id, created_ms, updated_ms)
    values (${accountId}, ${requestId}, ${channelId}, 'north', 'Lost', '', ${startMs}, ${startMs + HOUR_MS}, '\\x00',
            'FAILED', 'request.nothing_to_play', 'None of the videos can be played.', '[]', ${programId}, 0, 0)`.execute(
    db,
  )
  return { programId, requestId }
}

test('pages of any size list every program once, also those with the same start', async () => {
  const account = await anAccount()
  const video = await aVideo(account, 600)
  const startMs = api.nowMs + HOUR_MS
  const expected: string[] = []
  const failed = await aFailedRequest(account, startMs)
  const failedToo = await aFailedRequest(account, startMs)
  for (let at = 0; at < 5; at += 1) {
    const from = startMs + at * HOUR_MS
    const items = [videoItem(video, 600)]
    expected.push(await place(account, { startMs: from, endMs: from + HOUR_MS, items }))
  }
  const first = [failed.programId, failedToo.programId, expected[0]!].toSorted()

  for (const size of [1, 2, 3, 7]) {
    const found: string[] = []
    for (let mark: string | null = '0'; mark !== null; ) {
      const { hits, page, total } = await list(account, {
        from: iso(startMs),
        to: iso(startMs + 24 * HOUR_MS),
        page_size: String(size),
        page_offset: mark,
      })
      found.push(...hits.map((hit) => hit.program_id))
      assert.equal(total, 7)
      mark = page.page_mark
    }
    assert.deepEqual(found, [...first, ...expected.slice(1)], `pages of ${size}`)
  }
  const { hits } = await list(account, { from: iso(startMs) })
  const hit = hits.find(({ program_id }) => program_id === failed.programId)
  assert.equal(hit?.state, 'FAILED')
  assert.deepEqual(hit?.origin, { type: 'REQUEST', id: failed.requestId })
  assert.deepEqual(
    hit?.warnings.map(({ code }) => code),
    ['request.nothing_to_play'],
  )
})

test('a mark of another range or channel, and a range that is none, are 400', async () => {
  const { account, startMs } = await onAir(2)
  const { page } = await list(account, { from: iso(startMs), page_size: '1' })
  const get = (query: string) => account.admin.get(`${programsOf(account)}?${query}`)

  assertProblem(await get(`page_offset=${page.page_mark}`), 400, 'page.mark_invalid')
  for (const [from, to] of [
    [startMs, startMs],
    [startMs, startMs - 1],
    [startMs, startMs + 8 * 24 * HOUR_MS + 1],
  ] as const)
    assertProblem(await get(`from=${iso(from)}&to=${iso(to)}`), 400, 'program.range_invalid')
  assertProblem(await account.admin.get(programsOf({ channelId: randomUUID() })), 404, 'channel.not_found')
})

test('warnings name what is not ready, cut and filled', async () => {
  const account = await anAccount()
  const [late, long] = [await aVideo(account, 60, false), await aVideo(account, 700)]
  const startMs = api.nowMs + HOUR_MS
  await place(account, {
    startMs,
    endMs: startMs + 600_000,
    items: [videoItem(late, 60), videoItem(long, 540)],
  })

  const { hits } = await list(account, { from: iso(startMs) })

  assert.deepEqual(
    hits[0]?.warnings.map(({ code, message }) => [code, message.split(' ')[0]]),
    [
      ['program.item_not_ready', '/items/0'],
      ['program.no_filler', '60.0'],
      ['program.item_cut', '/items/1'],
    ],
  )
})

test('an override is the program on air, without an end; after the return each part that aired is listed', async () => {
  const { account, startMs, programs } = await onAir(2)
  const sourceId = await aSource(account)
  api.nowMs = startMs + 600_000
  await account.admin.post(`/api/2.3/linear_channels/override/${sourceId}`, [
    { linear_channel_id: account.channelId, title: 'Harbour live' },
  ])
  await sweep()
  api.nowMs += 60_000
  await sweep()
  const range = { from: iso(startMs), to: iso(startMs + 2 * HOUR_MS) }

  const during = await list(account, range)
  assert.deepEqual(titlesAndStates(during.hits), [
    ['Program 0', 'AIRED'],
    ['Harbour live', 'ON_AIR'],
    ['Program 1', 'PLANNED'],
  ])
  assert.equal(during.hits[1]!.end_time, null)
  assert.deepEqual(during.hits[1]!.origin, { type: 'OPERATOR', id: null })
  const shown = await now(account)
  assert.deepEqual([shown.program?.title, shown.program?.time_left_ms], ['Harbour live', null])
  // The source has no signal: the slate covers it.
  assert.deepEqual([shown.component?.type, shown.component?.time_left_ms], ['SLATE', null])
  assert.equal(shown.next?.program_id, programs[1])

  await account.admin.post('/api/2.3/linear_channels/return_to_schedule', [
    { linear_channel_id: account.channelId },
  ])
  await sweep()
  api.nowMs += 60_000
  await sweep()
  const after = await list(account, range)
  assert.deepEqual(titlesAndStates(after.hits), [
    ['Program 0', 'AIRED'],
    ['Harbour live', 'AIRED'],
    ['Program 0', 'ON_AIR'],
    ['Program 1', 'COMMITTED'],
  ])
  for (const [at, next] of after.hits.slice(1, 3).entries())
    assert.equal(after.hits[at]!.end_time, next.start_time)
})

test('now has the program, the component and the next program, each with the time that is left', async () => {
  const { account, startMs, programs, video } = await onAir(2)
  api.nowMs = startMs + 300_000

  const { program, component, next, at } = await now(account)

  assert.equal(at, iso(api.nowMs))
  assert.deepEqual([program?.program_id, program?.state], [programs[0], 'ON_AIR'])
  assert.ok(Math.abs(program!.time_left_ms! - (HOUR_MS - 300_000)) < 1_700)
  assert.deepEqual([component?.type, component?.reference_id], ['VIDEO', video.videoId])
  assert.ok(Math.abs(component!.time_left_ms! - 300_000) < 1_700)
  assert.deepEqual([next?.program_id, next?.state], [programs[1], 'COMMITTED'])
})

test('before the first program there is a component without a program, and off air there is neither', async () => {
  const { account, programs } = await onAir(1)
  api.nowMs += 30_000
  const before = await now(account)
  assert.deepEqual([before.program, before.component?.type], [null, 'TIME_FILL'])
  assert.equal(before.next?.program_id, programs[0])

  const off = await anAccount()
  const video = await aVideo(off, 600)
  const items = [videoItem(video, 600)]
  const startMs = api.nowMs + HOUR_MS
  const programId = await place(off, { startMs, endMs: startMs + HOUR_MS, items })
  const answer = await now(off)
  assert.deepEqual([answer.program, answer.component], [null, null])
  assert.equal(answer.next?.program_id, programId)
  api.nowMs = startMs + 1
  const begun = await now(off)
  // Nothing is on air: the program has missed its start.
  assert.deepEqual([begun.program, begun.component, begun.next], [null, null, null])
  assert.deepEqual((await list(off)).hits, [])
})
