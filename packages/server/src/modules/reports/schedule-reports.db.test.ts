import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '@continuity/contract'
import { compileCheck } from '../../http/schema-validator.ts'
import { aScheduleApi, podItem, type ScheduleAccount, videoItem } from '../schedule/testing/a-schedule-api.ts'
import { reportRoutes } from './routes.ts'

const system = await aScheduleApi(reportRoutes)
const { api, anAccount, aVideo, place, sweep } = system

type Row = Readonly<Record<string, string | number | null>>

async function read(
  { accountId }: ScheduleAccount,
  name: 'program' | 'component',
  from: string,
  to = from,
  query = '',
) {
  const answer = await fetch(
    `${await api.listen()}/api/2.3/reports/${name}/schedules?from=${from}&to=${to}${query}`,
    { headers: api.userOf(accountId, ['SCHEDULE']).credential },
  )
  const body = (await answer.json()) as { readonly rows: readonly Row[] }
  assert.equal(answer.status, 200, JSON.stringify(body))
  const { schema } =
    operations[name === 'program' ? 'reportProgramSchedules' : 'reportComponentSchedules'].answer
  assert.deepEqual(compileCheck(schema)(body), [])
  return body.rows
}

const secondsAfter = (time: string | number | null | undefined, baseMs: number): number =>
  (Date.parse(String(time)) - baseMs) / 1_000

/** A series with the second of these videos in it. */
async function anEpisode(account: ScheduleAccount, videoId: string): Promise<void> {
  const series = await account.admin.post<{ series_id: string }>('/api/2.1/series', {
    title: 'Harbour Nights',
  })
  const { headers } = await account.admin.get(`/api/2.1/videos/${videoId}`)
  const changed = await account.admin.patch(
    `/api/2.1/videos/${videoId}`,
    { series_id: series.json().series_id, season_number: 4, episode_number: 12 },
    { 'if-match': String(headers['etag']) },
  )
  assert.equal(changed.statusCode, 200, changed.body)
}

test('the past is reported as it aired, also over midnight, and the future as it is planned', async () => {
  api.nowMs = Date.parse('2026-03-05T23:50:00Z')
  const account = await anAccount()
  const { channelId } = account
  const [short, long] = [await aVideo(account, 16), await aVideo(account, 32)]
  await anEpisode(account, long.videoId)
  const startMs = Date.parse('2026-03-05T23:59:40Z')
  const aired = await place(account, {
    title: 'Late, "live"',
    description: 'Over midnight.',
    startMs,
    endMs: startMs + 80_000,
    items: [videoItem(short, 16, 'Short'), podItem(16), videoItem(long, 32, 'Long')],
  })
  const plannedMs = Date.parse('2026-03-08T06:00:00Z')
  const planned = await place(account, {
    title: 'Breakfast',
    startMs: plannedMs,
    endMs: plannedMs + 60_000,
    items: [videoItem(short, 16, 'Short'), { ...videoItem(long, 32, 'Promo'), type: 'INTERSTITIAL' }],
  })
  await account.admin.put(`/api/2.3/linear_channels/${channelId}/start`)
  await sweep()
  for (const time of ['2026-03-06T00:00:30Z', '2026-03-06T00:15:00Z', '2026-03-06T00:30:00Z']) {
    api.nowMs = Date.parse(time)
    await sweep()
  }

  const before = await read(account, 'program', '2026-03-05')
  const after = await read(account, 'program', '2026-03-06')
  const both = await read(account, 'program', '2026-03-05', '2026-03-06')

  const row = before.find(({ program_id }) => program_id === aired)
  assert.ok(row !== undefined)
  assert.ok(Math.abs(secondsAfter(row['program_start_time'], startMs)) < 1.7, JSON.stringify(row))
  assert.ok(Math.abs(secondsAfter(row['program_end_time'], startMs + 80_000)) < 1.7)
  assert.equal(
    row['program_duration'],
    secondsAfter(row['program_end_time'], Date.parse(String(row['program_start_time']))),
  )
  assert.deepEqual(
    { ...row, program_start_time: null, program_end_time: null, program_duration: null },
    {
      linear_channel_id: channelId,
      linear_channel_name: 'One',
      program_start_time: null,
      program_end_time: null,
      program_duration: null,
      program_id: aired,
      program_title: 'Late, "live"',
      program_description: 'Over midnight.',
      series_name: 'Harbour Nights',
      season_number: 4,
      episode_number: 12,
      video_id: long.videoId,
    },
  )
  assert.deepEqual(after, [row])
  assert.deepEqual(both, [row])

  // The pod spans midnight.
  const components = (rows: readonly Row[]) =>
    rows
      .filter(({ program_id }) => program_id === aired)
      .map((it) => [
        it['component_type'],
        it['component_duration'],
        it['component_title'],
        it['episode_number'],
      ])
  const firstDay = await read(account, 'component', '2026-03-05')
  const secondDay = await read(account, 'component', '2026-03-06')
  assert.deepEqual(components(firstDay), [
    ['VIDEO', 16, 'Short', null],
    ['AD_POD', 16, null, null],
  ])
  assert.deepEqual(components(secondDay).slice(0, 2), [
    ['AD_POD', 16, null, null],
    ['VIDEO', 32, 'Long', 12],
  ])
  const ofLong = await read(
    account,
    'component',
    '2026-03-05',
    '2026-03-08',
    `&component_reference_id=${long.videoId}`,
  )
  const all = await read(account, 'component', '2026-03-05', '2026-03-08')
  assert.deepEqual(
    ofLong,
    all.filter((it) => it['component_reference_id'] === long.videoId),
  )
  assert.deepEqual(
    ofLong.map((it) => [it['program_title'], it['component_type']]),
    [
      ['Late, "live"', 'VIDEO'],
      ['Breakfast', 'INTERSTITIAL'],
    ],
  )
  assert.ok(secondDay.some((it) => it['program_id'] === null && it['component_type'] === 'TIME_FILL'))
  for (const rows of [firstDay, secondDay]) {
    for (const [at, next] of rows.slice(1).entries()) {
      const endMs =
        Date.parse(String(rows[at]!['component_start_time'])) +
        Number(rows[at]!['component_duration']) * 1_000
      assert.ok(Math.abs(endMs - Date.parse(String(next['component_start_time']))) <= 1, JSON.stringify(next))
    }
  }

  assert.deepEqual(await read(account, 'program', '2026-03-08'), [
    {
      linear_channel_id: channelId,
      linear_channel_name: 'One',
      program_start_time: '2026-03-08T06:00:00.000Z',
      program_end_time: '2026-03-08T06:01:00.000Z',
      program_duration: 60,
      program_id: planned,
      program_title: 'Breakfast',
      program_description: '',
      series_name: null,
      season_number: null,
      episode_number: null,
      video_id: short.videoId,
    },
  ])
  assert.deepEqual(
    (await read(account, 'component', '2026-03-08')).map((it) => [
      it['component_type'],
      it['component_start_time'],
      it['component_duration'],
      it['component_reference_id'],
    ]),
    [
      ['VIDEO', '2026-03-08T06:00:00.000Z', 16, short.videoId],
      ['INTERSTITIAL', '2026-03-08T06:00:16.000Z', 32, long.videoId],
      ['TIME_FILL', '2026-03-08T06:00:48.000Z', 12, null],
    ],
  )
})

test('a report that is read a moment later contains the same past, whether it is in the record yet or not', async () => {
  api.nowMs = Date.parse('2026-03-10T10:00:00Z')
  const account = await anAccount()
  const startMs = api.nowMs + 120_000
  const video = await aVideo(account, 64)
  await place(account, { startMs, endMs: startMs + 120_000, items: [videoItem(video, 64), podItem(32)] })
  await account.admin.put(`/api/2.3/linear_channels/${account.channelId}/start`)
  await sweep()
  const inside = (rows: readonly Row[]) =>
    rows.filter((it) => Date.parse(String(it['component_start_time'])) < startMs + 100_000)

  const planned = inside(await read(account, 'component', '2026-03-10'))
  api.nowMs = startMs + 200_000
  const unrecorded = inside(await read(account, 'component', '2026-03-10'))
  api.nowMs = startMs + 1_500_000
  await sweep()
  const recorded = inside(await read(account, 'component', '2026-03-10'))

  assert.ok(planned.length >= 3, JSON.stringify(planned))
  assert.deepEqual(unrecorded, planned)
  assert.deepEqual(recorded, planned)
})

test('accounts do not see each other’s schedule', async () => {
  api.nowMs = Date.parse('2026-03-12T10:00:00Z')
  const [north, south] = [await anAccount(), await anAccount()]
  const startMs = api.nowMs + 120_000
  await place(north, { startMs, endMs: startMs + 60_000, items: [videoItem(await aVideo(north, 16), 16)] })

  assert.equal((await read(north, 'program', '2026-03-12')).length, 1)
  assert.deepEqual(await read(south, 'program', '2026-03-12'), [])
})
