import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { assertProblem } from '../../../http/testing/wire.ts'
import { aReleasedDatabase } from '../../../platform/testing/a-database.ts'
import { queryPlans } from '../../../platform/testing/query-plan.ts'
import { countVideoIn, countVideoOut, findSeries, selectSeriesList } from '../records/series-store.ts'
import type { WireSeries } from '../records/wire.ts'
import { aCatalogApi, made, pageOf, pagesOf, SERIES, type WirePage } from '../testing/a-catalog-api.ts'
import { aVideoRow, someVideoRows, type VideoRowOptions } from '../testing/a-video-row.ts'

const { api, anAccount } = await aCatalogApi()

async function analyze(ownerUrl: string): Promise<void> {
  const owner = new pg.Client(ownerUrl)
  await owner.connect()
  await owner.query('analyze series, videos')
  await owner.end()
}

test('without series the list is one empty page', async () => {
  const { admin, visitor } = await anAccount()

  const page = { page_id: null, page_size: '30', page_mark: null, page_offset: '0' }
  assert.deepEqual((await admin.get(SERIES)).json(), { hits: [], page, total: 0 })
  assert.deepEqual((await visitor.get(SERIES)).json(), { hits: [], page, total: 0, total_relation: 'eq' })
})

test('series are sorted by title, ignoring case and accents, ascending or descending', async () => {
  const { admin } = await anAccount()
  for (const title of ['zebra', 'Elan', 'Årsta', 'ÉLAN 2', 'Zebra 2']) await made(admin, SERIES, { title })
  const titles = async (sort: string) =>
    (await pagesOf<WireSeries>(admin, `${SERIES}?page_size=2${sort}`)).flatMap(({ hits }) =>
      hits.map(({ title }) => title),
    )

  const up = ['Årsta', 'Elan', 'ÉLAN 2', 'zebra', 'Zebra 2']
  assert.deepEqual(await titles(''), up)
  assert.deepEqual(await titles('&sort=title.asc'), up)
  assert.deepEqual(await titles('&sort=title.DESC'), up.toReversed())
  assert.deepEqual(await titles('&sort=title.desc'), up.toReversed())
  assertProblem(await admin.get(`${SERIES}?sort=date_created.ASC`), 400, 'request.invalid')
})

test('series with the same title are sorted by id', async () => {
  const { admin } = await anAccount()
  const ids = []
  for (let i = 0; i < 5; i += 1)
    ids.push((await made<WireSeries>(admin, SERIES, { title: 'Same' })).series_id)

  for (const [sort, expected] of [
    ['title.ASC', ids.toSorted()],
    ['title.DESC', ids.toSorted().toReversed()],
  ] as const) {
    const pages = await pagesOf<WireSeries>(admin, `${SERIES}?page_size=1&sort=${sort}`)
    assert.deepEqual(
      pages.flatMap(({ hits }) => hits.map(({ series_id }) => series_id)),
      expected,
    )
  }
})

for (const sort of ['title.ASC', 'title.DESC']) {
  test(`paging by ${sort} skips none and repeats none, whatever is created and deleted meanwhile`, async () => {
    const { admin } = await anAccount()
    const lasting = Array.from({ length: 15 }, (_, i) => `lasting ${String(i).padStart(2, '0')}`)
    for (const title of lasting) await made(admin, SERIES, { title })
    const seen: WireSeries[] = []

    let cursor: string | null = '0'
    for (let i = 0; cursor !== null; i += 1) {
      const { hits, page }: WirePage<WireSeries> = await pageOf(
        admin,
        `${SERIES}?page_size=3&sort=${sort}`,
        cursor,
      )
      seen.push(...hits)
      cursor = page.page_mark
      // New ones on both sides of the cursor; and the one that the cursor was made from is deleted or renamed.
      await made(admin, SERIES, { title: `a ${i}` })
      await made(admin, SERIES, { title: `z ${i}` })
      const last = `${SERIES}/${hits.at(-1)?.series_id}`
      const passed = sort.endsWith('ASC') ? `b ${i}` : `y ${i}`
      if (i % 2 === 0) await admin.delete(last)
      else await admin.patch(last, { title: passed })
    }

    const titles = seen.map(({ title }) => title).filter((title) => title.startsWith('lasting'))
    assert.deepEqual(titles, sort.endsWith('ASC') ? lasting : lasting.toReversed())
    assert.equal(new Set(seen.map(({ series_id }) => series_id)).size, seen.length)
  })
}

test('the longest titles fit into a cursor', async () => {
  const { admin } = await anAccount()
  for (const c of ['\u{1f4fa}', '\ufdfa', '"', 'ß']) {
    await made(admin, SERIES, { title: c.repeat(255) })
    await made(admin, SERIES, { title: c.repeat(255) })
  }

  assert.equal((await pagesOf(admin, `${SERIES}?page_size=1`)).length, 8)
})

test('a cursor is valid only for its own account and sort order, and other text is rejected', async () => {
  const [{ admin }, { admin: otherAdmin }] = [await anAccount(), await anAccount()]
  for (const user of [admin, otherAdmin]) for (const title of ['A', 'B']) await made(user, SERIES, { title })
  const { page } = await pageOf(admin, `${SERIES}?page_size=1`, '0')

  for (const [user, query] of [
    [otherAdmin, `page_offset=${page.page_mark}`],
    [admin, `page_offset=${page.page_mark}&sort=title.DESC`],
    [admin, 'page_offset=1'],
    [admin, `page_offset=${page.page_mark}A`],
  ] as const) {
    assertProblem(await user.get(`${SERIES}?page_size=1&${query}`), 400, 'page.mark_invalid')
  }
})

test('totals are right after concurrent writes, for administrators and for anonymous sessions', async () => {
  const { admin, visitor } = await anAccount()

  for (let round = 0; round < 5; round += 1) {
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        made<WireSeries>(admin, SERIES, { title: `T ${i}`, status: i % 2 === 0 ? 'READY' : 'DISABLED' }),
      ),
    )
    await Promise.all(
      all.flatMap(({ series_id }, i) => {
        const address = `${SERIES}/${series_id}`
        if (i < 2) return [admin.delete(address), admin.delete(address)]
        return i < 4
          ? [admin.patch(address, { status: 'DISABLED' }), admin.patch(address, { status: 'READY' })]
          : [admin.patch(address, { status: 'READY' }), admin.patch(address, { title: 'Moved' })]
      }),
    )
    const [seen, shown] = [
      (await admin.get<WirePage<WireSeries>>(`${SERIES}?page_size=50`)).json(),
      (await visitor.get<WirePage<WireSeries>>(`${SERIES}?page_size=50`)).json(),
    ]
    assert.equal(seen.total, seen.hits.length)
    assert.equal('total_relation' in seen, false)
    assert.equal(shown.total, shown.hits.length)
    assert.equal(shown.total_relation, 'eq')
    assert.deepEqual(
      shown.hits.map(({ series_id }) => series_id),
      seen.hits.flatMap(({ series_id, status }) => (status === 'READY' ? [series_id] : [])),
    )
  }
})

test('an anonymous session gets a total of ten thousand series at most', async () => {
  const { admin, visitor, accountId, db } = await anAccount()
  await made(admin, SERIES, { title: 'One' })
  const totalOf = async (kept: number) => {
    await sql`update catalog_totals set total = ${kept} where account_id = ${accountId}`.execute(db)
    const { total, total_relation } = (await visitor.get<WirePage<WireSeries>>(SERIES)).json()
    return [total, total_relation, (await admin.get<WirePage<WireSeries>>(SERIES)).json().total]
  }

  assert.deepEqual(await totalOf(10_000), [10_000, 'eq', 10_000])
  assert.deepEqual(await totalOf(10_001), [10_000, 'gte', 10_001])
})

test('an anonymous session sees READY series only, with counts of the videos that are public now', async () => {
  const { admin, visitor, accountId, db } = await anAccount()
  const { series_id: seriesId } = await made<WireSeries>(admin, SERIES, { title: 'Shown' })
  const hidden = await made<WireSeries>(admin, SERIES, { title: 'Hidden', status: 'DISABLED' })
  const later = api.nowMs + 10_000
  const rows: readonly VideoRowOptions[] = [
    { season: 1 },
    { season: 1 },
    { season: 2 },
    {},
    { season: 3, status: 'DISABLED' },
    { season: 4, status: 'DRAFT' },
    { season: 5, availableMs: later },
    { season: 6, expiredMs: api.nowMs },
    { season: 7, deletedMs: 1 },
  ]
  for (const row of rows) await aVideoRow(db, accountId, { ...row, seriesId })
  const counts = async (nowMs: number) => {
    const timed = api.nowMs
    api.nowMs = nowMs
    const one = await visitor.get<WireSeries>(`${SERIES}/${seriesId}`)
    const { hits } = (await visitor.get<WirePage<WireSeries>>(SERIES)).json()
    api.nowMs = timed
    assert.deepEqual(hits, [one.json()])
    return { etag: one.headers['etag'], counts: [one.json().video_count, one.json().season_count] }
  }

  const [now, then] = [await counts(api.nowMs), await counts(later)]

  assert.deepEqual(now.counts, [4, 2])
  assert.deepEqual(then.counts, [5, 3])
  assert.notEqual(now.etag, then.etag)
  assertProblem(await visitor.get(`${SERIES}/${hidden.series_id}`), 404, 'series.not_found')
  const unchanged = await visitor.get(`${SERIES}/${seriesId}`, { 'if-none-match': String(now.etag) })
  assert.equal(unchanged.statusCode, 304)
})

test('videos are counted in and out concurrently, and last_updated of the series stays', async () => {
  const { admin, accountId, db } = await anAccount()
  const series = await made<WireSeries>(admin, SERIES, { title: 'Counted' })
  const count = (work: typeof countVideoIn, ofSeason: boolean) =>
    db.transaction().execute((tx) => work(tx, accountId, series.series_id, ofSeason))

  await Promise.all(Array.from({ length: 10 }, (_, i) => count(countVideoIn, i < 3)))
  await Promise.all(Array.from({ length: 4 }, (_, i) => count(countVideoOut, i < 1)))

  const read = await admin.get<WireSeries>(`${SERIES}/${series.series_id}`)
  assert.deepEqual(read.json(), { ...series, video_count: 6, season_count: 2 })
  assert.equal(read.headers['etag'], '"15"')
})

test('a page is read from the index, however many series and videos exist', async () => {
  const released = await aCatalogApi(aReleasedDatabase)
  const [big, small] = [await released.anAccount(), await released.anAccount()]
  for (const [{ accountId, db }, count] of [
    [big, 20_000],
    [small, 100],
  ] as const) {
    await sql`
      insert into series (account_id, series_id, title, title_order, description, images, status, created_ms, updated_ms)
      select ${accountId}, gen_random_uuid(), 'Series ' || i, 'series ' || i, '', '[]', 'READY', 0, 0
        from generate_series(1, ${count}::integer) as i`.execute(db)
  }
  const { accountId, db } = big
  const { rows } = await sql<{ id: string }>`select series_id as id from series limit 1`.execute(db)
  const seriesId = rows[0]!.id
  await someVideoRows(db, accountId, 2_000, { seriesId })
  await someVideoRows(db, accountId, 20_000)
  // The plan depends on the statistics, so do not wait for autovacuum.
  await analyze(released.ownerUrl)
  const after = { titleOrder: 'series 5', seriesId }

  for (const isDescending of [true, false]) {
    for (const visibleAtMs of [null, 0]) {
      const list = selectSeriesList(accountId, { isDescending, after, limit: 31, visibleAtMs })
      const plans = await queryPlans(released.serviceUrl, accountId, { compile: () => list.compile(db) })
      for (const steps of Object.values(plans)) {
        const reading = steps.find(({ index }) => index === 'series_by_title')
        assert.match(reading?.type ?? JSON.stringify(steps), /^Index (Only )?Scan/)
        assert.doesNotMatch(reading?.filter ?? '', /title_order/)
        if (visibleAtMs !== null)
          assert.ok(steps.some(({ index }) => /^videos_by_(episode|season)$/.test(index ?? '')))
        // The totals are a few rows, for which a sequential scan is fine.
        const read = steps.filter(({ type, filter }) => type === 'Seq Scan' && !/kind = /.test(filter ?? ''))
        assert.deepEqual(read, [])
      }
    }
  }
  assert.equal((await findSeries(db, accountId, seriesId, 0))?.videoCount, 2_000)
})
