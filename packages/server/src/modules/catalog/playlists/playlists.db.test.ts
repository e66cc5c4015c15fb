import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { assertProblem } from '../../../http/testing/wire.ts'
import type { WirePlaylist } from '../records/wire.ts'
import { aCatalogApi, made, PLAYLISTS } from '../testing/a-catalog-api.ts'
import { aVideoRow, someVideoRows } from '../testing/a-video-row.ts'

const { api, anAccount } = await aCatalogApi()
const { accountId, admin, visitor, db } = await anAccount()
const { admin: otherAdmin, accountId: otherId, db: otherDb } = await anAccount()

const image = {
  width: 640,
  height: 360,
  image_type: 'POSTER',
  original_image_url: 'https://partner.example/a.jpg',
}

test('a playlist is created with defaults for the omitted fields', async () => {
  const answer = await admin.post<WirePlaylist>(PLAYLISTS, { title: 'Night trains' })

  assert.equal(answer.statusCode, 201, answer.body)
  assert.equal(answer.headers['etag'], '"1"')
  const at = new Date(api.nowMs).toISOString()
  const { playlist_id } = answer.json()
  // As text, because the order of the fields matters.
  const expected = { playlist_id, title: 'Night trains', description: '', images: [], video_count: 0 }
  assert.equal(
    answer.body,
    JSON.stringify({ ...expected, date_created: at, last_updated: at, status: 'READY' }),
  )
})

test('a created playlist can be read, and a conditional read returns 304', async () => {
  const draft = { title: 'Whole', description: 'All of it.', status: 'DISABLED' }

  const playlist = await made<WirePlaylist>(admin, PLAYLISTS, { ...draft, images: [image] })
  const read = await admin.get(addressOf(playlist))
  const again = await admin.get(addressOf(playlist), { 'if-none-match': '"1"' })

  assert.deepEqual(read.json(), playlist)
  assert.deepEqual(playlist.images, [{ ...image, image_url: image.original_image_url }])
  assert.equal(again.statusCode, 304)
})

test('a change changes only the fields that it contains, and one without a difference is not audited', async () => {
  const playlist = await aPlaylist({ description: 'Kept.', images: [image] })
  api.nowMs += 1_000

  const same = await admin.patch(addressOf(playlist), { title: playlist.title, images: [image] })
  const changed = await admin.patch<WirePlaylist>(addressOf(playlist), { title: 'Other' })

  assert.equal(same.headers['etag'], '"1"')
  assert.deepEqual(same.json(), playlist)
  assert.equal(changed.headers['etag'], '"2"')
  const last_updated = new Date(api.nowMs).toISOString()
  assert.deepEqual(changed.json(), { ...playlist, title: 'Other', last_updated })
  assert.deepEqual(
    (await auditOf(playlist)).map(({ action }) => action),
    ['playlist.create', 'playlist.change'],
  )
})

test('a write with an old version is rejected, and nothing changes', async () => {
  const playlist = await aPlaylist()
  const old = { 'if-match': '"1"' }
  await admin.patch(addressOf(playlist), { title: 'Second' }, old)

  const answers = [
    await admin.patch(addressOf(playlist), { title: 'Third' }, old),
    await admin.put(videosOf(playlist), { video_ids: [] }, old),
    // The version is checked before the videos.
    await admin.put(videosOf(playlist), { video_ids: ['none'] }, old),
    await admin.delete(addressOf(playlist), old),
  ]

  for (const answer of answers) assertProblem(answer, 412, 'record.changed')
  assert.equal((await admin.get<WirePlaylist>(addressOf(playlist))).json().title, 'Second')
})

test('a deleted playlist is not found', async () => {
  const playlist = await aPlaylist()
  await admin.put(videosOf(playlist), { video_ids: await someVideoRows(db, accountId, 2) })

  const answer = await admin.delete(addressOf(playlist), { 'if-match': '"2"' })

  assert.equal(answer.statusCode, 204)
  assertProblem(await admin.get(addressOf(playlist)), 404, 'playlist.not_found')
})

test('the videos of a playlist are those that were set last, in that order', async () => {
  const playlist = await aPlaylist()
  const ids = await someVideoRows(db, accountId, 5)
  api.nowMs += 1_000

  for (const [version, order] of [
    [2, ids],
    [3, ids.toReversed()],
    [4, [ids[3], ids[0]]],
    [5, [ids[4], ids[3], ids[1], ids[0]]],
    [6, []],
  ] as const) {
    const answer = await admin.put<WirePlaylist>(videosOf(playlist), { video_ids: order })

    assert.equal(answer.statusCode, 200, answer.body)
    assert.equal(answer.headers['etag'], `"${version}"`)
    const last_updated = new Date(api.nowMs).toISOString()
    assert.deepEqual(answer.json(), { ...playlist, video_count: order.length, last_updated })
    assert.deepEqual(await videoIdsOf(playlist), order)
  }
})

test('setting the same videos again keeps the version and is not audited', async () => {
  const playlist = await aPlaylist()
  const video_ids = await someVideoRows(db, accountId, 3)
  const first = await admin.put(videosOf(playlist), { video_ids })
  api.nowMs += 1_000

  const again = await admin.put(videosOf(playlist), { video_ids }, { 'if-match': '"2"' })

  assert.equal(again.headers['etag'], '"2"')
  assert.deepEqual(again.json(), first.json())
  assert.equal((await auditOf(playlist)).length, 2)
})

test('a playlist has at most five thousand videos', async () => {
  const playlist = await aPlaylist()
  const ids = await someVideoRows(db, accountId, 5_001)
  const most = ids.slice(1)

  const answer = await admin.put<WirePlaylist>(videosOf(playlist), { video_ids: most })

  assert.equal(answer.json().video_count, 5_000, answer.body)
  assert.deepEqual(await videoIdsOf(playlist), most)
  assertProblem(await admin.put(videosOf(playlist), { video_ids: ids }), 400, 'request.invalid')
})

test('an unknown video is rejected with its index, and nothing changes', async () => {
  const playlist = await aPlaylist()
  const [one, two] = await someVideoRows(db, accountId, 2)
  await admin.put(videosOf(playlist), { video_ids: [one] })
  const deleted = await aVideoRow(db, accountId, { deletedMs: 1 })
  const theirs = await aVideoRow(otherDb, otherId)

  for (const id of [deleted, theirs, randomUUID(), 'no-id', one!.toUpperCase()]) {
    const answer = await admin.put(videosOf(playlist), { video_ids: [two, id, 'another', one] })
    assert.deepEqual(
      assertProblem(answer, 422, 'video.unknown').errors?.map(({ pointer }) => pointer),
      ['/video_ids/1'],
    )
  }
  assert.deepEqual(await videoIdsOf(playlist), [one])
})

test("another account's playlist, a deleted one and text that is not an id are not found by any operation", async () => {
  const playlist = await aPlaylist()
  const deleted = await aPlaylist()
  await admin.delete(addressOf(deleted))

  for (const [user, address] of [
    [otherAdmin, addressOf(playlist)],
    [admin, addressOf(deleted)],
    [admin, `${PLAYLISTS}/${randomUUID()}`],
    [admin, `${PLAYLISTS}/no-id`],
  ] as const) {
    const answers = [
      await user.get(address),
      await user.patch(address, { title: 'Mine' }),
      await user.put(`${address}/videos`, { video_ids: [] }),
      await user.put(`${address}/videos`, { video_ids: [randomUUID()] }),
      await user.delete(address),
    ]
    for (const answer of answers) assertProblem(answer, 404, 'playlist.not_found')
  }
  assert.deepEqual((await admin.get(addressOf(playlist))).json(), playlist)
})

test('every role may read playlists, and only an administrator may write them', async () => {
  const playlist = await aPlaylist()

  assert.equal((await visitor.get(PLAYLISTS)).statusCode, 200)
  assert.equal((await visitor.get(addressOf(playlist))).statusCode, 200)
  const operator = api.userOf(accountId, ['ROLE_OPERATOR', 'ROLE_USER', 'SCHEDULE'])
  const answers = [
    await operator.post(PLAYLISTS, { title: 'X' }),
    await operator.patch(addressOf(playlist), { title: 'X' }),
    await operator.put(videosOf(playlist), { video_ids: [] }),
    await operator.delete(addressOf(playlist)),
  ]
  for (const answer of answers) assertProblem(answer, 403, 'role.missing')
})

test('two concurrent requests with one idempotency key set the videos once', async () => {
  const playlist = await aPlaylist()
  const body = { video_ids: await someVideoRows(db, accountId, 2) }
  const key = { 'idempotency-key': randomUUID() }

  const [one, two] = await Promise.all([
    admin.put(videosOf(playlist), body, key),
    admin.put(videosOf(playlist), body, key),
  ])

  assert.equal(one.statusCode, 200, one.body)
  assert.equal(one.body, two.body)
  assert.equal(two.headers['etag'], '"2"')
})

test('every write is audited, with the first hundred videos', async () => {
  const playlist = await aPlaylist()
  const ids = await someVideoRows(db, accountId, 150)
  const set = (await admin.put<WirePlaylist>(videosOf(playlist), { video_ids: ids })).json()
  await admin.delete(addressOf(playlist))

  const common = { subject_type: 'playlist', user_id: admin.userId }
  assert.deepEqual(await auditOf(playlist), [
    { ...common, action: 'playlist.create', before: null, after: playlist },
    {
      ...common,
      action: 'playlist.set_videos',
      before: { ...playlist, video_ids: [] },
      after: { ...set, video_ids: ids.slice(0, 100) },
    },
    { ...common, action: 'playlist.delete', before: set, after: null },
  ])
})

const aPlaylist = (draft: object = {}) =>
  made<WirePlaylist>(admin, PLAYLISTS, { title: 'Night trains', ...draft })

function addressOf({ playlist_id }: WirePlaylist): string {
  return `${PLAYLISTS}/${playlist_id}`
}

function videosOf(playlist: WirePlaylist): string {
  return `${addressOf(playlist)}/videos`
}

async function videoIdsOf({ playlist_id }: WirePlaylist): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select video_id as id from playlist_videos where playlist_id = ${playlist_id} order by place`.execute(db)
  return rows.map(({ id }) => id)
}

interface Entry {
  readonly action: string
}

async function auditOf({ playlist_id }: WirePlaylist): Promise<readonly Entry[]> {
  const { rows } = await sql<Entry>`
    select action, subject_type, before, after, user_id from audit_entries where subject_id = ${playlist_id}
     order by (before is not null), (after is null)`.execute(db)
  return rows
}
