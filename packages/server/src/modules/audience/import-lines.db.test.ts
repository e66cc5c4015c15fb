import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { msOf } from '@continuity/core/time/ticks'
import { unpackBetween } from '@continuity/core/timeline/codec/packed'
import pg from 'pg'
import { assertProblem } from '../../http/testing/wire.ts'
import { createSessionIds } from '../../platform/crypto/viewing-session-ids.ts'
import { loadLiveView } from '../live/read.ts'
import { aScheduleApi, podItem, videoItem } from '../schedule/testing/a-schedule-api.ts'
import { purgeLogBlocks } from './jobs.ts'
import { audienceRoutes } from './routes.ts'

const KEY = 'a key of the nodes'
const HOUR_MS = 3_600_000
const IMPORT = '/api/2.3/audience/import'
const system = await aScheduleApi(({ database }) =>
  audienceRoutes({ database, loadLiveView, viewingKey: KEY }),
)
const { api, feed, anAccount, aVideo, place, sweep, ownerUrl, database } = system
const ids = createSessionIds(KEY)
const owner = new pg.Client({ connectionString: ownerUrl })
await owner.connect()
after(() => owner.end())

interface Line {
  readonly time_ms: number
  readonly linear_channel_id: string
  readonly distributor: string
  readonly sid: string
  readonly shift_ms?: number
  readonly cmcd?: string
  readonly country?: string
}

const nothing = { invalid_session: 0, unknown_output: 0, counted_by_nodes: 0, too_old: 0, too_recent: 0 }

/** A channel that airs a video of 64 s at `startMs`, a pod of 16 s and another video; its viewers are counted from logs. */
async function anAiredChannel() {
  const account = await anAccount()
  const { admin, channelId } = account
  // At the middle of a minute, so that sums are of several.
  const startMs = (Math.floor(api.nowMs / HOUR_MS) + 1) * HOUR_MS - 90_000
  const one = await aVideo(account, 64)
  const two = await aVideo(account, 64)
  const items = [videoItem(one, 64), podItem(16), videoItem(two, 64)]
  await place(account, { startMs, endMs: startMs + 144_000, items })
  const outputs = `/api/2.3/linear_channels/${channelId}/outputs`
  await admin.patch(`${outputs}/direct`, { audience_source: 'NODES' })
  for (const distributor of ['cached', 'other']) {
    await admin.post(outputs, { distributor, audience_source: 'LOGS' })
  }
  await admin.post(outputs, { distributor: 'later', audience_source: 'LOGS', delay_ms: HOUR_MS })
  await admin.put(`/api/2.3/linear_channels/${channelId}/start`)
  await sweep()
  api.nowMs = startMs + 2 * HOUR_MS
  await sweep()
  const timeline = unpackBetween(feed.stateOf(channelId)!.timeline, 0, Number.MAX_SAFE_INTEGER)!
  const spans = timeline.runs.flatMap((run) => run.spans)
  const first = spans.find(({ airing }) => airing.program !== null)!
  const mint = (seconds: number, distributor = 'cached') =>
    ids.mint(`${channelId}/${distributor}`, startMs + seconds * 1_000)
  return {
    ...account,
    startMs,
    /** Programs begin on the boundary of a segment. */
    lateMs: msOf(first.startTicks) - startMs,
    one,
    two,
    mint,
    line: (sid: string, seconds: number, fields: Partial<Line> = {}): Line => ({
      time_ms: startMs + Math.round(seconds * 1_000),
      linear_channel_id: channelId,
      distributor: 'cached',
      sid,
      ...fields,
    }),
    send: (lines: readonly Line[]) => admin.post<Record<string, unknown>>(IMPORT, { lines }),
  }
}

type Aired = Awaited<ReturnType<typeof anAiredChannel>>

/** Read as the owner. */
async function minutesOf(
  { accountId, channelId, startMs }: Pick<Aired, 'accountId' | 'channelId' | 'startMs'>,
  distributor = 'cached',
) {
  const { rows } = await owner.query<Record<string, string>>(
    `select * from audience_minutes where account_id = $3 and linear_channel_id = $1 and distributor = $2 order by minute_ms, span_ticks`,
    [channelId, distributor, accountId],
  )
  return rows
    .map((row) => [
      (Number(row['minute_ms']) - startMs) / 1_000,
      row['type'],
      row['reference_id'],
      ...['cmcd_v2_ms', 'cmcd_v1_ms', 'heartbeat_ms', 'starts'].map((name) => Number(row[name])),
    ])
    .filter((row) => row.slice(3).some((count) => count !== 0))
}

test('lines are attributed to what was on air fifteen seconds earlier', async () => {
  const aired = await anAiredChannel()
  const { mint, line, send, one, two, lateMs } = aired
  const [sid, paused] = [mint(60), mint(100)]

  const answer = await send([
    // 45 to 95 s of the program: to 64 s the first video, to 80 s the pod; the minute changes at 30 and 90 s.
    ...[60, 70, 80, 90, 100, 110].map((seconds) => line(sid, seconds, { country: 'DE' })),
    line(paused, 100, { cmcd: 'sta=p,v=2' }),
    line(paused, 105, { cmcd: 'sta=a,v=2' }),
    line(paused, 115, { cmcd: 'sta=p,v=2' }),
    line(paused, 120, { cmcd: 'bl=100,sid="x"' }),
  ])

  assert.equal(answer.statusCode, 200, answer.body)
  const counted = { counted: 10, repeated: 0, ignored: nothing, watched_ms: 60_000, starts: 2 }
  assert.deepEqual(answer.json(), counted)
  assert.deepEqual(await minutesOf(aired), [
    [30, 'VIDEO', one.videoId, 0, 0, 19_000 + lateMs, 1],
    [30, 'AD_POD', null, 0, 0, 16_000, 0],
    [30, 'VIDEO', two.videoId, 5_000, 0, 10_000 - lateMs, 0],
    [90, 'VIDEO', two.videoId, 5_000, 0, 5_000, 1],
  ])
})

test('an import that counts anything is in the audit log, with who made it and what it counted', async () => {
  const { mint, line, send, startMs, accountId, channelId } = await anAiredChannel()
  const sid = mint(60)
  const lines = [60, 70].map((seconds) => line(sid, seconds))

  await send(lines)
  await send(lines)

  const { rows: entries } = await owner.query<Record<string, unknown>>(
    `select user_id, subject_id, before, after from audit_entries where account_id = $1 and action = 'audience.import'`,
    [accountId],
  )
  assert.equal(entries.length, 1)
  const { user_id, subject_id, before, after } = entries[0]!
  assert.ok(typeof user_id === 'string')
  assert.deepEqual([subject_id, before], [accountId, null])
  assert.deepEqual(after, {
    from: new Date(startMs + 60_000).toISOString(),
    to: new Date(startMs + 70_000).toISOString(),
    linear_channel_ids: [channelId],
    counted: 2,
    watched_ms: 10_000,
    starts: 1,
  })
})

test('lines of a delayed output are attributed to what was on air its delay earlier', async () => {
  const aired = await anAiredChannel()
  const { mint, line, send } = aired
  const hour = HOUR_MS / 1_000
  const seconds = [60, 70, 80, 90, 100, 110]
  const [sid, later, shifted] = [mint(60), mint(60 + hour, 'later'), mint(90 + hour, 'later')]

  await send(seconds.map((second) => line(sid, second)))
  const answer = await send([
    ...seconds.map((second) => line(later, second + hour, { distributor: 'later' })),
    ...seconds.map((second) => line(shifted, second + hour + 30, { distributor: 'later', shift_ms: 30_000 })),
  ])

  assert.equal(answer.statusCode, 200, answer.body)
  const double = (rows: Awaited<ReturnType<typeof minutesOf>>) =>
    rows.map((row) => row.map((value, at) => (at >= 3 ? 2 * Number(value) : value)))
  assert.deepEqual(await minutesOf(aired, 'later'), double(await minutesOf(aired)))
  assert.equal((await minutesOf(aired)).length, 4)
})

test('lines imported again, in overlapping parts, in any order or concurrently, are counted once', async () => {
  const aired = await anAiredChannel()
  const { line, send, mint } = aired
  const of = (distributor: string) => {
    const sids = Array.from({ length: 5 }, () => mint(0, distributor))
    // Two of them cross the hour, one with a gap, one paused by its buffer.
    return [0, 4, 8, 12, 16, 40, 44, 48, 80, 84, 88, 92, 96].flatMap((seconds, at) =>
      sids.map((sid, viewer) =>
        line(sid, seconds + viewer, {
          distributor,
          ...(viewer === 2 ? { cmcd: `bl=${at * 4_000}` } : {}),
          ...(viewer === 3 ? { country: at > 6 ? 'US' : 'DE' } : {}),
        }),
      ),
    )
  }
  const [once, often] = [of('other'), of('cached')]
  const whole = await send(once)

  const parts = [often.slice(40), often.slice(20, 50), often.slice(0, 25).toReversed(), [...often, ...often]]
  let counted = 0
  for (const part of parts) {
    const both = await Promise.all([send(part), send(part.toReversed())])
    // One of two concurrent imports may be rejected as busy.
    for (const answer of both)
      if (answer.statusCode !== 200) assertProblem(answer, 429, 'audience.import_busy')
    const taken = [...both, await send(part)].filter(({ statusCode }) => statusCode === 200)
    assert.ok(taken.length >= 2)
    for (const answer of taken) counted += answer.json()['counted'] as number
  }

  assert.equal(whole.json()['counted'], 65)
  assert.equal(counted, 65)
  const sums = await minutesOf(aired)
  assert.deepEqual(sums, await minutesOf(aired, 'other'))
  assert.ok(sums.length >= 5 && sums.some((row) => Number(row[4]) > 0), JSON.stringify(sums))
})

test('lines that cannot be counted are reported by reason', async () => {
  const aired = await anAiredChannel()
  const { line, send, mint } = aired
  const elsewhere = await anAccount()
  const sid = mint(0)
  const longAgo = api.nowMs - 48 * HOUR_MS - aired.startMs

  const { body, statusCode } = await send([
    line('x'.repeat(32), 10),
    line('short', 10),
    line(mint(0, 'other'), 10),
    line(ids.mint(`${aired.channelId}/cached`, aired.startMs - 49 * HOUR_MS), 10),
    line(sid, 10, { distributor: 'unknown' }),
    line(sid, 10, { linear_channel_id: elsewhere.channelId }),
    line(sid, 10, { linear_channel_id: 'no id' }),
    line(mint(0, 'direct'), 10, { distributor: 'direct' }),
    line(sid, longAgo / 1_000),
    line(sid, (api.nowMs - 59_000 - aired.startMs) / 1_000),
  ])

  assert.equal(statusCode, 200, body)
  assert.deepEqual((JSON.parse(body) as { ignored: unknown }).ignored, {
    invalid_session: 4,
    unknown_output: 3,
    counted_by_nodes: 2,
    too_old: 0,
    too_recent: 1,
  })
  assert.deepEqual(await minutesOf(aired), [])
})

test('an output that was counted by nodes is counted from logs a minute after the change', async () => {
  const aired = await anAiredChannel()
  const { line, send, mint, admin, channelId } = aired
  const changedMs = api.nowMs
  await admin.patch(`/api/2.3/linear_channels/${channelId}/outputs/direct`, { audience_source: 'LOGS' })
  api.nowMs += 600_000
  const at = (ms: number) => (changedMs + ms - aired.startMs) / 1_000
  const sid = mint(at(0), 'direct')

  const answer = await send(
    [0, 59_999, 60_000, 65_000].map((ms) => line(sid, at(ms), { distributor: 'direct' })),
  )

  const { counted, ignored, watched_ms } = answer.json()
  assert.deepEqual([counted, (ignored as typeof nothing).counted_by_nodes, watched_ms], [2, 2, 5_000])
})

test('heartbeats are kept for 48 hours, without the session id', async () => {
  const aired = await anAiredChannel()
  const sid = aired.mint(0)
  await aired.send([aired.line(sid, 10), aired.line(sid, 20)])
  const read = async () => {
    const { rows } = await owner.query<{ text: string; bytes: Buffer }>(
      'select b::text as text, heartbeats as bytes from audience_log_blocks b where account_id = $1',
      [aired.accountId],
    )
    return rows
  }
  const before = await read()

  const hourMs = Math.floor((aired.startMs + 10_000) / HOUR_MS) * HOUR_MS
  await purgeLogBlocks(database.platform, hourMs + 48 * HOUR_MS)
  const kept = await read()
  await purgeLogBlocks(database.platform, hourMs + 48 * HOUR_MS + 1)

  assert.deepEqual([before.length, kept.length, (await read()).length], [1, 1, 0])
  assert.equal(before[0]!.bytes.length, 20)
  assert.ok(!before[0]!.text.includes(sid) && !before[0]!.bytes.includes(sid))
})

test('rejects lines of more than 200 channels', async () => {
  const aired = await anAiredChannel()
  const sid = aired.mint(0)
  const lines = Array.from({ length: 201 }, (_, at) =>
    aired.line(sid, 10, {
      linear_channel_id: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
    }),
  )

  assertProblem(await aired.send(lines), 422, 'audience.too_many_channels')
})
