import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { assertProblem } from '../../../http/testing/wire.ts'
import { aReleasedDatabase } from '../../../platform/testing/a-database.ts'
import { queryPlans } from '../../../platform/testing/query-plan.ts'
import { selectPlaylistList } from '../records/playlist-store.ts'
import type { WirePlaylist } from '../records/wire.ts'
import { aCatalogApi, made, PLAYLISTS, pageOf, pagesOf, type WirePage } from '../testing/a-catalog-api.ts'
import { aVideoRow, someVideoRows, type VideoRowOptions } from '../testing/a-video-row.ts'

const { api, anAccount } = await aCatalogApi()

test('without playlists the list is one empty page', async () => {
  const { admin, visitor } = await anAccount()

  const page = { page_id: null, page_size: '30', page_mark: null, page_offset: '0' }
  assert.deepEqual((await admin.get(PLAYLISTS)).json(), { hits: [], page, total: 0 })
  assert.deepEqual((await visitor.get(PLAYLISTS)).json(), { hits: [], page, total: 0, total_relation: 'eq' })
})

test('paging skips none and repeats none, whatever is created and deleted meanwhile', async () => {
  const { admin } = await anAccount()
  const lasting = Array.from({ length: 15 }, (_, i) => `Lasting ${String(i).padStart(2, '0')}`)
  for (const title of lasting.toReversed()) await made(admin, PLAYLISTS, { title })
  const seen: WirePlaylist[] = []

  let cursor: string | null = '0'
  for (let i = 0; cursor !== null; i += 1) {
    const { hits, page }: WirePage<WirePlaylist> = await pageOf(admin, `${PLAYLISTS}?page_size=3`, cursor)
    seen.push(...hits)
    cursor = page.page_mark
    // New ones on both sides of the cursor; and the one that the cursor was made from is deleted or renamed.
    await made(admin, PLAYLISTS, { title: `a ${i}` })
    await made(admin, PLAYLISTS, { title: `z ${i}` })
    const last = `${PLAYLISTS}/${hits.at(-1)?.playlist_id}`
    if (i % 2 === 0) await admin.delete(last)
    else await admin.patch(last, { title: `b ${i}` })
  }

  const titles = seen.map(({ title }) => title).filter((title) => title.startsWith('Lasting'))
  assert.deepEqual(titles, lasting)
  assert.equal(new Set(seen.map(({ playlist_id }) => playlist_id)).size, seen.length)
})

test('a cursor is valid only for its own account, and other text is rejected', async () => {
  const [{ admin }, { admin: otherAdmin }] = [await anAccount(), await anAccount()]
  for (const user of [admin, otherAdmin])
    for (const title of ['A', 'B']) await made(user, PLAYLISTS, { title })
  const { page } = await pageOf(admin, `${PLAYLISTS}?page_size=1`, '0')

  for (const [user, cursor] of [
    [otherAdmin, page.page_mark],
    [admin, '1'],
    [admin, `${page.page_mark}A`],
  ] as const) {
    const answer = await user.get(`${PLAYLISTS}?page_size=1&page_offset=${cursor}`)
    assertProblem(answer, 400, 'page.mark_invalid')
  }
})

test('totals are right after concurrent writes, for administrators and for anonymous sessions', async () => {
  const { admin, visitor } = await anAccount()

  for (let round = 0; round < 5; round += 1) {
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        made<WirePlaylist>(admin, PLAYLISTS, { title: `T ${i}`, status: i % 2 === 0 ? 'READY' : 'DISABLED' }),
      ),
    )
    await Promise.all(
      all.flatMap(({ playlist_id }, i) => {
        const address = `${PLAYLISTS}/${playlist_id}`
        if (i < 2) return [admin.delete(address), admin.delete(address)]
        return [admin.patch(address, { status: 'DISABLED' }), admin.patch(address, { status: 'READY' })]
      }),
    )
    const seen = (await pagesOf<WirePlaylist>(admin, `${PLAYLISTS}?page_size=50`))[0]!
    const shown = (await pagesOf<WirePlaylist>(visitor, `${PLAYLISTS}?page_size=50`))[0]!
    assert.equal(seen.total, seen.hits.length)
    assert.equal('total_relation' in seen, false)
    assert.equal(shown.total, shown.hits.length)
    assert.equal(shown.total_relation, 'eq')
    assert.ok(shown.hits.every(({ status }) => status === 'READY'))
  }
})

test('an anonymous session sees READY playlists only, with counts of the videos that are public now', async () => {
  const { admin, visitor, accountId, db } = await anAccount()
  const { playlist_id } = await made<WirePlaylist>(admin, PLAYLISTS, { title: 'Shown' })
  const hidden = await made<WirePlaylist>(admin, PLAYLISTS, { title: 'Hidden', status: 'DISABLED' })
  const later = api.nowMs + 10_000
  const rows: readonly VideoRowOptions[] = [
    {},
    {},
    { status: 'DRAFT' },
    { availableMs: later },
    { expiredMs: api.nowMs },
  ]
  const video_ids: string[] = []
  for (const row of rows) video_ids.push(await aVideoRow(db, accountId, row))
  const address = `${PLAYLISTS}/${playlist_id}`
  assert.equal((await admin.put<WirePlaylist>(`${address}/videos`, { video_ids })).json().video_count, 5)

  const now = await visitor.get<WirePlaylist>(address)
  const unchanged = await visitor.get(address, { 'if-none-match': String(now.headers['etag']) })
  api.nowMs = later
  const then = await visitor.get<WirePlaylist>(address, { 'if-none-match': String(now.headers['etag']) })

  assert.equal(now.json().video_count, 2)
  assert.equal(unchanged.statusCode, 304)
  assert.equal(then.statusCode, 200)
  assert.equal(then.json().video_count, 3)
  const { hits } = (await visitor.get<WirePage<WirePlaylist>>(PLAYLISTS)).json()
  assert.deepEqual(hits, [then.json()])
  assertProblem(await visitor.get(`${PLAYLISTS}/${hidden.playlist_id}`), 404, 'playlist.not_found')
})

test('a page is read from the index, however many playlists and videos exist', async () => {
  const released = await aCatalogApi(aReleasedDatabase)
  const [big, small] = [await released.anAccount(), await released.anAccount()]
  for (const [{ accountId, db }, count] of [
    [big, 20_000],
    [small, 100],
  ] as const) {
    await sql`
      insert into playlists (account_id, playlist_id, title, title_order, description, images, status, created_ms, updated_ms)
      select ${accountId}, gen_random_uuid(), 'List ' || i, 'list ' || i, '', '[]', 'READY', 0, 0
        from generate_series(1, ${count}::integer) as i`.execute(db)
  }
  const { accountId, db } = big
  const ids = await someVideoRows(db, accountId, 5_000)
  await sql`
    insert into playlist_videos (account_id, playlist_id, place, video_id)
    select ${accountId}, playlist_id, place, video_id
      from (select playlist_id from playlists limit 10) as few,
        unnest(${ids}::uuid[]) with ordinality as v(video_id, place)`.execute(db)
  const { rows } = await sql<{ id: string }>`select playlist_id as id from playlists limit 1`.execute(db)
  const after = { titleOrder: 'list 5', playlistId: rows[0]!.id }

  for (const visibleAtMs of [null, 0]) {
    const list = selectPlaylistList(accountId, { after, limit: 31, visibleAtMs })
    const plans = await queryPlans(released.serviceUrl, accountId, { compile: () => list.compile(db) })
    for (const steps of Object.values(plans)) {
      const reading = steps.find(({ index }) => index === 'playlists_by_title')
      assert.match(reading?.type ?? JSON.stringify(steps), /^Index (Only )?Scan/)
      assert.doesNotMatch(reading?.filter ?? '', /title_order/)
      const lookups = steps.flatMap(({ index }) => (index?.startsWith('videos') === true ? [index] : []))
      assert.deepEqual(lookups, visibleAtMs === null ? [] : ['videos_pkey'])
    }
  }
})
