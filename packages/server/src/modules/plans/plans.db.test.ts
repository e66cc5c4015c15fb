import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { assertProblem } from '../../http/testing/wire.ts'
import { AppError } from '../../platform/errors.ts'
import { findChannel } from '../channels/index.ts'
import { assertEvents } from '../events/testing/assert-events.ts'
import type { ScheduleAccount } from '../schedule/testing/a-schedule-api.ts'
import { findPlan, rulesOf as rulesIn } from './plan-store.ts'
import { previewPlan } from './preview-plan.ts'
import { aPlanApi, loseMedia, type Plan, type Preview, planOf } from './testing/a-plan-api.ts'

const system = await aPlanApi()
const { api, anAccount, aFilm, aSeries, plan, planChannel, programs, sweep } = system

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const iso = (ms: number) => new Date(ms).toISOString()

/** A channel with six films of 50 minutes and a series of eight episodes of 25. */
async function aLibrary() {
  const account = await anAccount()
  const series = await aSeries(account, 'Harbour')
  const films: string[] = []
  for (let at = 0; at < 6; at += 1) films.push(await aFilm(account, `Film ${at}`, 50))
  const episodes: string[] = []
  for (let at = 1; at <= 8; at += 1) episodes.push(await aFilm(account, `Episode ${at}`, 25, series, at))
  return { account, series, films, episodes }
}

const rulesOf = (series: string, changes: object = {}) => ({
  time_zone: 'UTC',
  horizon_days: 10,
  blocks: [
    {
      id: 'evening',
      times: [{ from: '20:00', to: '20:30' }],
      content: { series_ids: [series] },
      order: 'NEXT_EPISODE',
      title: 'Harbour tonight',
    },
  ],
  default: { content: { filter: { not: { exists: 'series_id' } } }, order: 'SHUFFLE' },
  ...changes,
})

const put = async ({ admin, channelId }: ScheduleAccount, rules: object, query = '') => {
  const answer = await admin.put<Plan>(`${planOf({ channelId })}${query}`, rules)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}
const get = async ({ admin, channelId }: ScheduleAccount) =>
  (await admin.get<Plan>(planOf({ channelId }))).json()

test('a channel with rules is planned up to its horizon, with reasons, and without overlap or a gap', async () => {
  const { account, series, films } = await aLibrary()
  const first = await put(account, rulesOf(series))

  assert.equal(await plan(), 1)

  assert.deepEqual([first.is_planning, first.planned_until], [true, null])
  const stored = await get(account)
  assert.equal(stored.is_planning, false)
  assert.ok(Date.parse(String(stored.planned_until)) >= api.nowMs + 10 * DAY_MS)
  const hits = await programs(account, api.nowMs, 10)
  assert.ok(hits.length > 200, `${hits.length}`)
  const evenings = hits.filter(({ title }) => title === 'Harbour tonight')
  assert.equal(evenings.length, 10)
  assert.ok(evenings.every(({ start_time }) => start_time.endsWith('T20:00:00.000Z')))
  assert.deepEqual(
    hits.map(({ origin }) => origin.id),
    hits.map(({ title }) => (title === 'Harbour tonight' ? 'evening' : 'default')),
  )
  assert.match(String(evenings[3]!.reason), /S1E4/)
  for (const [at, { end_time }] of hits.slice(0, -1).entries()) {
    const gapMs = Date.parse(hits[at + 1]!.start_time) - Date.parse(String(end_time))
    // Less than a film and never an overlap: what is left before the block is fill.
    assert.ok(gapMs >= 0 && gapMs < 50 * 60_000, `${end_time}: ${gapMs}`)
  }
  assert.equal(new Set(hits.slice(0, 6).map(({ title }) => title)).size, 6)
  assert.equal(films.length, 6)
  await assertEvents(account.db, ['plan.applied'])
})

test('breaks are at the cue points that editors gave, and not at proposals', async () => {
  const account = await anAccount()
  const film = await aFilm(account, 'Film', 50)
  await sql`update assets set found_cues = '{"chaptersMs":[600000],"proposedMs":[1800000]}' where video_id = ${film}`.execute(
    account.db,
  )
  const given = await account.admin.patch(`/api/2.1/videos/${film}`, { cue_points_ms: [1_204_000] })
  assert.equal(given.statusCode, 200, given.body)
  const rules = { breaks: { at: 'CUE_POINTS', every_minutes: 5, length_seconds: 60 }, blocks: [] }
  await put(account, { ...rulesOf('', rules), horizon_days: 1 })

  await plan()

  const [hit] = await programs(account, api.nowMs, 1)
  const read = await account.admin.get<{
    items: readonly { in_ms?: number; out_ms?: number; type?: string }[]
  }>(`/api/2.3/linear_channels/${account.channelId}/programs/${hit!.program_id}`)
  assert.deepEqual(
    read.json().items.map(({ in_ms, out_ms, type }) => type ?? [in_ms, out_ms]),
    [[undefined, 1_204_000], 'AD_POD', [1_204_000, undefined]],
  )
})

const inOrder = (series: string) =>
  rulesOf(series, { blocks: [], default: { content: { series_ids: [series] }, order: 'NEXT_EPISODE' } })

const startOf = ({ channelId }: ScheduleAccount) => `/api/2.3/linear_channels/${channelId}/start`

test('the first program of a channel off the air begins at once, although time passes while the plan is made', async () => {
  const { account, series } = await aLibrary()
  await put(account, inOrder(series))
  const requestedMs = api.nowMs

  await planChannel(account, async () => {
    api.nowMs += 8_000
  })
  await account.admin.put(startOf(account))
  await sweep()
  api.nowMs += 5_000

  const [first, second] = await programs(account, api.nowMs, 1)
  assert.deepEqual([first!.state, first!.reason], ['ON_AIR', 'next episode: S1E1; no previous one'])
  const deviationMs = Date.parse(second!.start_time) - (requestedMs + 25 * 60_000)
  assert.ok(Math.abs(deviationMs) <= 1_600, second!.start_time)
})

test('a channel that is put on the air while its first plan is made loses no program', async () => {
  const { account, series } = await aLibrary()
  await put(account, inOrder(series))

  await planChannel(account, async () => {
    await account.admin.put(startOf(account))
    await sweep()
  })
  assert.deepEqual(await programs(account, api.nowMs, 1), [])
  api.nowMs += 2_000
  await plan()

  // What is committed has no program yet, so that the first begins soon.
  const [first] = await programs(account, api.nowMs, 1)
  assert.equal(first!.reason, 'next episode: S1E1; no previous one')
  assert.ok(Date.parse(first!.start_time) <= api.nowMs + 90_000, first!.start_time)
})

test('programs of operators have precedence, and what gave way is planned again around them', async () => {
  const { account, series, films } = await aLibrary()
  await put(account, rulesOf(series))
  await plan()
  const evenings = async () =>
    (await programs(account, api.nowMs, 10)).filter(({ origin }) => origin.id === 'evening')
  const before = await evenings()
  const nextEpisode = before[3]!

  const answer = await account.admin.post(`/api/2.3/linear_channels/${account.channelId}/programs`, {
    title: 'Special',
    start_time: nextEpisode.start_time,
    items: [{ video_id: films[0] }],
  })
  assert.equal(answer.statusCode, 201, answer.body)
  assert.equal((await get(account)).is_planning, true)
  api.nowMs += 5_000
  assert.equal(await plan(), 1)

  const after = await evenings()
  assert.equal(after.length, 9)
  // The episode that the special displaced is the next one after it.
  assert.match(String(after[3]!.reason), /S1E4/)
  assert.equal(after[0]!.program_id, before[0]!.program_id)
  const hits = await programs(account, api.nowMs, 10)
  assert.equal(hits.filter(({ title }) => title === 'Special').length, 1)
})

test('a program of a rule that an operator cancels is not planned again in its time', async () => {
  const { account, series } = await aLibrary()
  await put(account, rulesOf(series))
  await plan()
  const [, , third] = (await programs(account, api.nowMs, 10)).filter(({ origin }) => origin.id === 'evening')

  const answer = await account.admin.delete(
    `/api/2.3/linear_channels/${account.channelId}/programs/${third!.program_id}`,
  )
  assert.equal(answer.statusCode, 204, answer.body)
  api.nowMs += 5_000
  await plan()

  const left = (await programs(account, api.nowMs, 10)).filter(({ origin }) => origin.id === 'evening')
  assert.equal(left.length, 9)
  assert.ok(left.every(({ start_time }) => start_time !== third!.start_time))
  assert.match(String(left[2]!.reason), /S1E3/)
})

test('new rules keep positions and what is committed, and begin at the given time', async () => {
  const { account, series } = await aLibrary()
  await put(account, rulesOf(series))
  await plan()
  await account.admin.put(`/api/2.3/linear_channels/${account.channelId}/start`)
  await sweep()
  const before = await programs(account, api.nowMs, 10)
  const fromMs = api.nowMs + 5 * DAY_MS

  const moved = { ...rulesOf(series).blocks[0], times: [{ from: '18:00', to: '18:30' }] }
  await put(account, rulesOf(series, { blocks: [moved] }), `?from=${iso(fromMs)}`)
  await plan()

  const after = await programs(account, api.nowMs, 10)
  const early = (hits: typeof after) => hits.filter(({ start_time }) => Date.parse(start_time) < fromMs)
  assert.deepEqual(
    early(after).map(({ program_id }) => program_id),
    early(before).map(({ program_id }) => program_id),
  )
  const evenings = after.filter(({ origin }) => origin.id === 'evening')
  const number = (reason: string | null) => Number(/S1E(\d)/.exec(String(reason))?.[1])
  assert.deepEqual(
    evenings.map(({ reason }) => number(reason)),
    evenings.map((_, at) => (at % 8) + 1),
  )
  assert.ok(evenings.at(-1)!.start_time.endsWith('T18:00:00.000Z'))

  await put(account, rulesOf(series, { blocks: [] }))
  await plan()
  const committed = (await programs(account, api.nowMs, 10)).filter(({ state }) => state === 'COMMITTED')
  const was = new Map(before.map((hit) => [hit.program_id, hit.state]))
  assert.ok(committed.length > 10)
  assert.ok(committed.every(({ program_id }) => was.get(program_id) === 'COMMITTED'))
})

test('the first rules of a channel begin at the given time', async () => {
  const { account, series } = await aLibrary()
  const fromMs = api.nowMs + 3 * DAY_MS
  await put(account, rulesOf(series), `?from=${iso(fromMs)}`)

  await plan()

  const hits = await programs(account, api.nowMs, 10)
  assert.ok(hits.length > 100)
  assert.ok(hits.every(({ start_time }) => Date.parse(start_time) >= fromMs))
})

test('the horizon moves on, and a plan that is made in portions is the plan that is made at once', async () => {
  const { account, series } = await aLibrary()
  const startMs = api.nowMs
  await put(account, rulesOf(series, { horizon_days: 6 }))
  for (let day = 0; day < 4; day += 1) {
    api.nowMs = startMs + day * DAY_MS
    assert.ok((await plan()) >= 1)
  }
  const hits = await programs(account, api.nowMs, 6)

  const evenings = hits.filter(({ origin }) => origin.id === 'evening')
  const number = (reason: string | null) => Number(/S1E(\d)/.exec(String(reason))?.[1])
  assert.deepEqual(
    evenings.map(({ reason }) => number(reason)),
    evenings.map((_, at) => ((at + 3) % 8) + 1),
  )
  for (const [at, { end_time }] of hits.slice(0, -1).entries())
    assert.ok(Date.parse(hits[at + 1]!.start_time) >= Date.parse(String(end_time)))
  assert.ok(Date.parse(hits.at(-1)!.start_time) > startMs + 8.9 * DAY_MS)
})

test('a video that cannot be played any more is replaced, and an empty library leaves fill and an alert', async () => {
  const { account, series, films } = await aLibrary()
  await put(account, rulesOf(series))
  await plan()
  assert.ok((await programs(account, api.nowMs, 10)).some(({ title }) => title === 'Film 2'))

  await loseMedia(account, films[2]!)
  await planChannel(account)

  const hits = await programs(account, api.nowMs, 10)
  assert.ok(!hits.some(({ title }) => title === 'Film 2'))
  assert.ok(hits.length > 200)

  for (const film of films) await loseMedia(account, film)
  await planChannel(account)
  const left = await programs(account, api.nowMs, 10)
  assert.ok(left.length > 0 && left.every(({ title }) => title === 'Harbour tonight'))
  assert.ok((await get(account)).warnings.some(({ code }) => code === 'nothing_to_play'))
  await assertEvents(account.db, ['alert.opened'])
})

test('time that a block leaves to the default is a warning, and no alert', async () => {
  const { account, series } = await aLibrary()
  const isOpen = async () => {
    const { rows } = await sql<{ count: number }>`
      select count(*)::int as count from alerts where code = 'plan.nothing_to_play' and closed_ms is null`.execute(
      account.db,
    )
    return rows[0]!.count === 1
  }
  const withBlock = (block: object) => {
    const { blocks, ...rules } = rulesOf(series)
    return {
      ...rules,
      blocks: [{ ...blocks[0]!, content: { filter: { eq: { genre: 'none' } } }, ...block }],
      // Episodes are short enough for the time of the block.
      default: { content: { series_ids: [series] }, order: 'NEXT_EPISODE' },
    }
  }
  const isPlanned = async (rules: object) => {
    await put(account, rules)
    await planChannel(account)
    return (await get(account)).warnings.some(({ code }) => code === 'nothing_to_play')
  }

  assert.equal(await isPlanned(withBlock({})), true)
  assert.equal(await isOpen(), false)
  assert.equal(await isPlanned(withBlock({ rest: 'FILL' })), true)
  assert.equal(await isOpen(), true)
  await isPlanned(withBlock({ rest: 'DEFAULT' }))
  assert.equal(await isOpen(), false)
})

test('a plan is dropped when other programs or the rules have changed meanwhile', async () => {
  const { account, series, films } = await aLibrary()
  await put(account, rulesOf(series))
  await planChannel(account, async () => {
    await account.admin.post(`/api/2.3/linear_channels/${account.channelId}/programs`, {
      title: 'Special',
      start_time: iso(api.nowMs + DAY_MS),
      items: [{ video_id: films[0] }],
    })
  })
  assert.equal((await get(account)).planned_until, null)
  await planChannel(account, async () => void (await put(account, rulesOf(series, { horizon_days: 2 }))))
  assert.equal((await get(account)).planned_until, null)

  api.nowMs += 5_000
  await plan()

  const hits = await programs(account, api.nowMs, 10)
  assert.equal(hits.filter(({ title }) => title === 'Special').length, 1)
  assert.ok(Date.parse(hits.at(-1)!.start_time) < api.nowMs + 3 * DAY_MS)
})

test('a preview shows any range by any rules, and writes nothing', async () => {
  const { account, series } = await aLibrary()
  const preview = async (body: object) => {
    const answer = await account.admin.post<Preview>(`${planOf(account)}/preview`, body)
    assert.equal(answer.statusCode, 200, answer.body)
    return answer.json()
  }
  const from = iso(api.nowMs + 12 * DAY_MS)
  const to = iso(api.nowMs + 13 * DAY_MS)

  const shown = await preview({ rules: rulesOf(series), from, to })

  assert.ok(shown.programs.length > 20)
  assert.ok(shown.programs.every(({ start_time }) => start_time >= from && start_time < to))
  assert.ok(shown.fill_ms > 0 && shown.fill_ms < 2 * HOUR_MS, `${shown.fill_ms}`)
  assert.deepEqual(await programs(account, api.nowMs, 10), [])
  await put(account, rulesOf(series, { horizon_days: 14 }))
  await plan()
  // As it was shown before there was a plan.
  const planned = (await programs(account, api.nowMs + 12 * DAY_MS, 1)).filter(
    ({ start_time }) => start_time >= from,
  )
  const again = await preview({ from, to })
  for (const { programs: each } of [again, shown])
    assert.deepEqual(
      each.map(({ title, start_time }) => [title, start_time]),
      planned.map(({ title, start_time }) => [title, start_time]),
    )
  const range = { fromMs: Date.parse(from), untilMs: Date.parse(to) }
  const previewWith = (waiting: (accountId?: string) => number) =>
    previewPlan(
      account.db,
      { ...system.planner, waiting },
      channel,
      stored,
      rulesIn(stored),
      range,
      api.nowMs,
    )
  const stored = (await findPlan(account.db, account))!
  const channel = (await findChannel(account.db, account.accountId, account.channelId))!
  const isBusy = (error: unknown) => error instanceof AppError && error.kind.code === 'plan.busy'
  await assert.rejects(
    previewWith(() => 1),
    isBusy,
  )
  await assert.rejects(
    previewWith((accountId) => (accountId === undefined ? 4 : 0)),
    isBusy,
  )
  assert.ok((await previewWith((accountId) => (accountId === undefined ? 3 : 0))).programs.length > 20)

  const ranges = [
    { from: to, to: from },
    { from, to: iso(api.nowMs + 50 * DAY_MS) },
    { to: iso(api.nowMs - 1) },
  ]
  for (const range of ranges)
    assertProblem(await account.admin.post(`${planOf(account)}/preview`, range), 400, 'plan.range_invalid')
})

test('rules are rejected with every fault, and only their current version is replaced', async () => {
  const { account, series } = await aLibrary()
  const path = planOf(account)
  assertProblem(await account.admin.get(path), 404, 'plan.not_found')
  assertProblem(await account.admin.delete(path), 404, 'plan.not_found')
  assertProblem(await account.admin.post(`${path}/preview`, {}), 404, 'plan.not_found')
  const wrong = rulesOf(series, {
    time_zone: 'Atlantis',
    breaks: { before_playlist_id: series },
    default: { content: { series_ids: ['no such'] }, order: 'REPLAY' },
  })
  const rejected = await account.admin.put(path, wrong)
  assertProblem(rejected, 422, 'plan.invalid')
  assert.match(rejected.body, /time_zone/)
  const unknown = await account.admin.put(path, { ...wrong, time_zone: 'UTC', default: undefined })
  assertProblem(unknown, 422, 'plan.invalid')
  assert.match(unknown.body, /breaks\/before_playlist_id/)

  await put(account, rulesOf(series))
  const stale = await account.admin.put(path, rulesOf(series), { 'if-match': '"7"' })
  assertProblem(stale, 412, 'record.changed')
  await plan()
  assert.equal((await account.admin.delete(path)).statusCode, 204)
  assert.deepEqual(await programs(account, api.nowMs, 10), [])
  assert.equal(await plan(), 0)
})

test('plans of other accounts are not found', async () => {
  const { account, series } = await aLibrary()
  await put(account, rulesOf(series))
  const other = await anAccount()
  for (const answer of [
    await other.admin.get(planOf(account)),
    await other.admin.put(planOf(account), rulesOf(series)),
    await other.admin.delete(planOf(account)),
    await other.admin.post(`${planOf(account)}/preview`, {}),
  ])
    assertProblem(answer, 404, 'channel.not_found')
})

test('a channel without anything to play is planned within minutes of its first video', async () => {
  const account = await anAccount()
  const everything = { content: { filter: { exists: 'title' } }, order: 'SHUFFLE' }
  await put(account, { time_zone: 'UTC', horizon_days: 2, default: everything })
  await plan()
  assert.deepEqual(await programs(account, api.nowMs, 2), [])

  await aFilm(account, 'First', 50)
  api.nowMs += 5 * 60_000
  assert.equal(await plan(), 1)

  const hits = await programs(account, api.nowMs, 2)
  assert.ok(hits.length > 50, `${hits.length}`)
  assert.ok(Date.parse(hits[0]!.start_time) < api.nowMs + 2 * 60_000, hits[0]!.start_time)
})

test('new rules are planned with the videos of that moment', async () => {
  const cached = await aPlanApi(undefined, 60_000)
  const account = await cached.anAccount()
  const titles = async () => {
    await put(account, {
      time_zone: 'UTC',
      horizon_days: 1,
      default: { content: { filter: { exists: 'title' } }, order: 'SHUFFLE' },
    })
    await cached.plan()
    const hits = await cached.programs(account, cached.api.nowMs, 1)
    return new Set(hits.map(({ title }) => title))
  }
  await cached.aFilm(account, 'First', 50)
  assert.deepEqual(await titles(), new Set(['First']))

  await cached.aFilm(account, 'Second', 50)

  assert.deepEqual(await titles(), new Set(['First', 'Second']))
  await cached.planner.close()
})
