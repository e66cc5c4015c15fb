import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { assertProblem } from '../../../http/testing/wire.ts'
import { aCatalogApi, made, SEARCH, VIDEOS, type WirePage } from '../testing/a-catalog-api.ts'

const { anAccount, api } = await aCatalogApi()

interface WireVideo {
  readonly video_id: string
  readonly cue_points_ms: readonly number[] | null
  readonly cue_points: readonly object[]
}

const draft = { title: 'The Tide Table', duration: 120 }
const given = (at_ms: number) => ({ at_ms, origin: 'GIVEN', offset_ms: null })

test('cue points are given in any order, and read by every endpoint, before there is a package', async () => {
  const { admin } = await anAccount()
  const { video_id, ...video } = await made<WireVideo>(admin, VIDEOS, draft)
  const address = `${VIDEOS}/${video_id}`
  assert.deepEqual([video.cue_points_ms, video.cue_points], [null, []])

  const changed = await admin.patch<WireVideo>(address, { cue_points_ms: [90_000, 30_500] })

  assert.equal(changed.statusCode, 200, changed.body)
  const read = (await admin.get<WireVideo>(address)).json()
  const [listed] = (await admin.get<WirePage<WireVideo>>(VIDEOS)).json().hits
  const [found] = (await admin.post<WirePage<WireVideo>>(SEARCH, { query: 'tide' })).json().hits
  const [sorted] = (await admin.post<WirePage<WireVideo>>(SEARCH, { sort: { field: 'title' } })).json().hits
  for (const it of [changed.json(), read, listed, found, sorted]) {
    assert.deepEqual(it?.cue_points_ms, [30_500, 90_000])
    assert.deepEqual(it?.cue_points, [given(30_500), given(90_000)])
  }
  const same = await admin.patch(address, { cue_points_ms: [30_500, 90_000], title: draft.title })
  assert.equal(same.headers['etag'], '"2"')
  const none = await admin.patch<WireVideo>(address, { cue_points_ms: null })
  assert.deepEqual([none.json().cue_points_ms, none.json().cue_points], [null, []])
})

test('a video is created with cue points, and a change of another field keeps them', async () => {
  const { admin, db } = await anAccount()
  const { video_id } = await made<WireVideo>(admin, VIDEOS, { ...draft, cue_points_ms: [60_000] })
  api.nowMs += 1_000

  const changed = await admin.patch<WireVideo>(`${VIDEOS}/${video_id}`, { description: 'Long.' })

  assert.deepEqual(changed.json().cue_points, [given(60_000)])
  const { rows } = await sql<{ after: Readonly<Record<string, unknown>> }>`
    select after from audit_entries where subject_id = ${video_id} order by audit_id`.execute(db)
  assert.deepEqual(rows[0]?.after['cue_points_ms'], [60_000])
  assert.deepEqual(Object.keys(rows[1]?.after ?? {}), ['description', 'last_updated'])
})

test('cue points that cannot be cut at are rejected with their position, and nothing changes', async () => {
  const { admin } = await anAccount()
  const { video_id } = await made<WireVideo>(admin, VIDEOS, draft)
  const address = `${VIDEOS}/${video_id}`

  for (const [cue_points_ms, index] of [
    [[9_999], 0],
    [[60_000, 50_001], 0],
    [[30_000, 120_000], 1],
  ] as const) {
    const answer = await admin.patch(address, { cue_points_ms })
    assertProblem(answer, 422, 'cue_points.invalid')
    assert.match(answer.body, new RegExp(`/cue_points_ms/${index} must be`))
    assertProblem(await admin.post(VIDEOS, { ...draft, cue_points_ms }), 422, 'cue_points.invalid')
  }
  const many = Array.from({ length: 101 }, (_, at) => 10_000 * (at + 1))
  assertProblem(await admin.patch(address, { cue_points_ms: many }), 400, 'request.invalid')
  assertProblem(await admin.patch(address, { cue_points_ms: [20_000.5] }), 400, 'request.invalid')
  assert.equal((await admin.get(address)).headers['etag'], '"1"')
  // The length that a request sets counts.
  const longer = await admin.patch(address, { duration: 240, cue_points_ms: [130_000] })
  assert.equal(longer.statusCode, 200, longer.body)
})
