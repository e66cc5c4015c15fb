import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { assertProblem } from '../../../http/testing/wire.ts'
import {
  aCatalogApi,
  type CatalogAccount,
  made,
  PLAYLISTS,
  SEARCH,
  SERIES,
  VIDEOS,
  type WirePage,
} from '../testing/a-catalog-api.ts'

const { anAccount, api } = await aCatalogApi()

interface WireVideo {
  readonly video_id: string
  readonly title: string
  readonly last_updated: string
  readonly date_published: string | null
  readonly media_type: string
  readonly media_url: string | null
  readonly images: readonly object[]
}

const draft = { title: 'The Tide Table', duration: 1_440 }

test('a video is created, read, changed and deleted', async () => {
  const { admin } = await anAccount()

  const video = await made<WireVideo>(admin, VIDEOS, { title: 'The Tide Table', duration: 1_440 })
  const address = `${VIDEOS}/${video.video_id}`
  const read = await admin.get<WireVideo>(address)
  const changed = await admin.patch<WireVideo>(address, { title: 'The Ferry', status: 'READY' })
  const readAgain = await admin.get<WireVideo>(address)
  const removed = await admin.delete(address)

  assert.deepEqual(read.json(), video)
  assert.equal(changed.statusCode, 200, changed.body)
  assert.deepEqual(readAgain.json(), changed.json())
  assert.equal(readAgain.json().title, 'The Ferry')
  assert.equal(removed.statusCode, 204, removed.body)
  assertProblem(await admin.get(address), 404, 'video.not_found')
})

test('a session with a user role is not anonymous, whatever other roles it has', async () => {
  const { accountId, admin } = await anAccount()
  const hidden = await made<WireVideo>(admin, VIDEOS, { ...draft, status: 'DRAFT' })
  const address = `${VIDEOS}/${hidden.video_id}`

  for (const roles of [['ROLE_ADMIN'], ['ROLE_ANONYMOUS', 'ROLE_ADMIN'], ['ROLE_ADMIN', 'ROLE_ANONYMOUS']])
    assert.equal((await api.userOf(accountId, roles).get(address)).statusCode, 200, roles.join())
  assertProblem(await api.userOf(accountId, ['ROLE_ANONYMOUS']).get(address), 404, 'video.not_found')
})

test('a READY video is public from the millisecond of its availability until that of its expiry', async (t) => {
  const { admin, visitor } = await anAccount()
  const { nowMs } = api
  t.after(() => {
    api.nowMs = nowMs
  })
  const [fromMs, toMs] = [nowMs + 1_000, nowMs + 2_000]
  const dates = { date_available: new Date(fromMs).toISOString(), date_expired: new Date(toMs).toISOString() }
  const video = await made<WireVideo>(admin, VIDEOS, { ...draft, ...dates, status: 'READY' })
  const waysToRead = async () => {
    const one = await visitor.get(`${VIDEOS}/${video.video_id}`)
    const list = await visitor.get<{ hits: object[] }>(VIDEOS)
    const search = await visitor.post<{ hits: object[] }>(SEARCH, { query: 'tide' })
    return [one.statusCode === 200, list.json().hits.length === 1, search.json().hits.length === 1]
  }

  for (const [at, isOpen] of [
    [fromMs - 1, false],
    [fromMs, true],
    [toMs - 1, true],
    [toMs, false],
  ] as const) {
    api.nowMs = at
    assert.deepEqual(await waysToRead(), [isOpen, isOpen, isOpen], `${at - fromMs} ms`)
  }
})

test('a search finds a video by its words, its series and its labels', async () => {
  const { admin } = await anAccount()
  const series = await made<{ series_id: string }>(admin, SERIES, { title: 'Harbour Nights' })
  await made(admin, VIDEOS, {
    title: 'The Tide Table',
    description: 'A ferry is late, and no one knows why.',
    keywords: ['night train'],
    duration: 1_440,
    series_id: series.series_id,
    audio_language: 'en',
    status: 'READY',
    date_published: '2026-03-01T18:00:00Z',
  })
  const bodies: readonly object[] = [
    { query: 'tide' },
    { query: 'TIDE ferry' },
    { query: '"tide table"' },
    { query: '"night train"' },
    { query: 'harbour ferry' },
    { query: 'harbour', fields: ['series_title'] },
    { query: 'ferry', fields: ['description'] },
    { query: 'ferri' },
    { query: '-submarine' },
    { filter: { in: { audio_language: ['en'] } } },
    { filter: { lte: { duration: 1_440 } } },
    { query: 'tide', filter: { and: [{ eq: { audio_language: 'en' } }, { gte: { duration: 1_000 } }] } },
    { query: 'tide', sort: { field: 'title', order: 'DESC' } },
    {},
  ]

  for (const body of bodies) {
    const answer = await admin.post<WirePage<WireVideo>>(SEARCH, body)
    assert.equal(answer.statusCode, 200, JSON.stringify(body) + answer.body)
    assert.equal(answer.json().hits.length, 1, JSON.stringify(body) + answer.body)
    assert.equal(answer.json().total, 1)
  }
  for (const body of [
    { query: 'submarine' },
    { query: '"table tide"' },
    { query: 'ferry', fields: ['title'] },
    { query: '-tide' },
    { filter: { eq: { audio_language: 'de' } } },
    { filter: { not: { lte: { duration: 1_440 } } } },
  ]) {
    const answer = await admin.post<WirePage<WireVideo>>(SEARCH, body)
    assert.equal(answer.statusCode, 200, JSON.stringify(body) + answer.body)
    assert.deepEqual(answer.json().hits, [], JSON.stringify(body))
  }
})

test('omitted fields are null, empty or DRAFT, and the fields are in the order of the contract', async () => {
  const { admin } = await anAccount()

  const video = await made<Record<string, unknown>>(admin, VIDEOS, draft)

  const { video_id: _, date_created, last_updated, ...rest } = video
  assert.equal(date_created, last_updated)
  assert.deepEqual(rest, {
    source_id: null,
    video_source_id: null,
    brand_id: null,
    channel_id: null,
    channel_ids: [],
    series_id: null,
    season_number: null,
    episode_number: null,
    title: 'The Tide Table',
    description: '',
    keywords: [],
    genres: [],
    audio_language: null,
    country_origin: null,
    content_format: null,
    content_type: null,
    cut: null,
    periodicity: null,
    parental_rating: null,
    duration: 1_440,
    date_published: null,
    date_available: null,
    date_expired: null,
    status: 'DRAFT',
    images: [],
    cue_points_ms: null,
    cue_points: [],
    media_type: 'mp4',
    media_url: null,
  })
  assert.equal(Object.keys(video).at(0), 'video_id')
  assert.equal(Object.keys(video).at(-1), 'media_url')
})

test('media is returned in the requested type, and h264 is an alias of mp4', async () => {
  const { admin } = await anAccount()
  const hls_url = 'https://elsewhere.example/a.m3u8'
  const mp4_url = 'https://elsewhere.example/a.mp4'
  const { video_id } = await made<WireVideo>(admin, VIDEOS, { ...draft, hls_url, mp4_url })

  for (const [query, type, url] of [
    ['', 'mp4', mp4_url],
    ['?media_type=mp4', 'mp4', mp4_url],
    ['?media_type=h264', 'mp4', mp4_url],
    ['?media_type=hls', 'hls', hls_url],
  ]) {
    const one = (await admin.get<WireVideo>(`${VIDEOS}/${video_id}${query}`)).json()
    const [listed] = (await admin.get<WirePage<WireVideo>>(`${VIDEOS}${query}`)).json().hits
    const [found] = (await admin.post<WirePage<WireVideo>>(`${SEARCH}${query}`, {})).json().hits
    for (const video of [one, listed, found]) {
      assert.deepEqual([video?.media_type, video?.media_url], [type, url])
    }
  }
  const rejected = await admin.get(`${VIDEOS}/${video_id}?media_type=avi`)
  assertProblem(rejected, 400, 'request.invalid')
})

test('a media path is returned below the base address, and user text is never taken for a path', async () => {
  const { admin, db } = await anAccount()
  const title = `\u0001 is ${String.raw`\u0001`}`
  const { video_id } = await made<WireVideo>(admin, VIDEOS, { ...draft, title })
  await sql`update videos set mp4_path = ${'\u0001v/a.mp4'} where video_id = ${video_id}`.execute(db)

  const video = (await admin.get<WireVideo>(`${VIDEOS}/${video_id}`)).json()

  assert.equal(video.media_url, 'https://media.example/v/a.mp4')
  assert.equal(video.title, title)
})

test('image_url is the original address until there is a copy, and dates have one format', async () => {
  const { admin } = await anAccount()
  const image = {
    width: 640,
    height: 360,
    image_type: 'POSTER',
    original_image_url: 'https://partner.example/a.jpg',
  }

  const video = await made<WireVideo>(admin, VIDEOS, {
    ...draft,
    images: [image],
    date_published: '2026-03-01T18:00:00Z',
  })
  const same = await admin.patch<WireVideo>(`${VIDEOS}/${video.video_id}`, {
    images: [image],
    date_published: '2026-03-01T18:00:00.000Z',
  })

  assert.deepEqual(video.images, [{ ...image, image_url: image.original_image_url }])
  assert.equal(video.date_published, '2026-03-01T18:00:00.000Z')
  assert.equal(same.headers['etag'], '"1"')
})

test('a conditional read returns 304 until the video changes, and a write with an old version is rejected', async () => {
  const { admin } = await anAccount()
  const { video_id } = await made<WireVideo>(admin, VIDEOS, draft)
  const address = `${VIDEOS}/${video_id}`

  const notModified = await admin.get(address, { 'if-none-match': '"1"' })
  const changed = await admin.patch(address, { title: 'B' }, { 'if-match': '"1"' })
  const stale = await admin.patch(address, { title: 'C' }, { 'if-match': '"1"' })
  const staleDelete = await admin.delete(address, { 'if-match': '"1"' })
  const read = await admin.get<WireVideo>(address, { 'if-none-match': '"1"' })
  const unchanged = await admin.patch(address, { title: 'B' })

  assert.equal(notModified.statusCode, 304)
  assert.equal(changed.headers['etag'], '"2"')
  assertProblem(stale, 412, 'record.changed')
  assertProblem(staleDelete, 412, 'record.changed')
  assert.equal(read.json().title, 'B')
  assert.equal(unchanged.headers['etag'], '"2"')
})

test('a partner’s id is unique until its video is deleted', async () => {
  const { admin } = await anAccount()
  const name = { source_id: 'north', video_source_id: 'HN-1' }
  const first = await made<WireVideo>(admin, VIDEOS, { ...draft, ...name })
  const other = await made<WireVideo>(admin, VIDEOS, { ...draft, ...name, video_source_id: 'HN-2' })

  const again = await admin.post(VIDEOS, { ...draft, ...name })
  const renamed = await admin.patch(`${VIDEOS}/${other.video_id}`, name)
  await admin.delete(`${VIDEOS}/${first.video_id}`)
  const freed = await admin.patch(`${VIDEOS}/${other.video_id}`, name)

  assertProblem(again, 409, 'video.exists')
  assertProblem(renamed, 409, 'video.exists')
  assert.equal(freed.statusCode, 200, freed.body)
})

test('of concurrent writes with one partner id, one succeeds', async () => {
  const { admin } = await anAccount()
  const name = { source_id: 'north', video_source_id: 'HN-1' }
  const other = await made<WireVideo>(admin, VIDEOS, draft)

  const answers = await Promise.all([
    ...Array.from({ length: 6 }, () => admin.post(VIDEOS, { ...draft, ...name })),
    admin.patch(`${VIDEOS}/${other.video_id}`, name),
  ])

  const done = answers.filter(({ statusCode }) => statusCode < 300)
  assert.equal(done.length, 1)
  for (const answer of answers) if (!done.includes(answer)) assertProblem(answer, 409, 'video.exists')
})

test('an unknown series or brand cannot be referenced', async () => {
  const { admin } = await anAccount()
  const otherAccount = await anAccount()
  const theirs = await made<{ series_id: string }>(otherAccount.admin, SERIES, { title: 'Theirs' })
  const { video_id } = await made<WireVideo>(admin, VIDEOS, draft)

  for (const series_id of [theirs.series_id, 'unknown', '00000000-0000-7000-8000-000000000000']) {
    assertProblem(await admin.post(VIDEOS, { ...draft, series_id }), 422, 'series.unknown')
    assertProblem(await admin.patch(`${VIDEOS}/${video_id}`, { series_id }), 422, 'series.unknown')
  }
  assertProblem(await admin.post(VIDEOS, { ...draft, brand_id: 'unknown' }), 422, 'brand.unknown')
  assertProblem(await admin.patch(`${VIDEOS}/${video_id}`, { brand_id: 'unknown' }), 422, 'brand.unknown')
})

test('a series counts its videos and seasons through concurrent creations, moves and deletions', async () => {
  const { admin } = await anAccount()
  const one = await made<{ series_id: string }>(admin, SERIES, { title: 'One' })
  const two = await made<{ series_id: string }>(admin, SERIES, { title: 'Two' })
  const makeIn = (series_id: string, season_number: number | null) =>
    made<WireVideo>(admin, VIDEOS, { ...draft, series_id, season_number })
  const videos = await Promise.all([1, 1, 2, 3, null].map((season) => makeIn(one.series_id, season)))
  const addresses = videos.map(({ video_id }) => `${VIDEOS}/${video_id}`)
  await Promise.all([
    admin.patch(addresses[0]!, { series_id: two.series_id }),
    admin.patch(addresses[2]!, { season_number: 1 }),
    admin.delete(addresses[3]!),
  ])

  const counts = async (id: string) => {
    const answer = await admin.get<{ video_count: number; season_count: number }>(`${SERIES}/${id}`)
    const { video_count, season_count } = answer.json()
    return [video_count, season_count]
  }
  assert.deepEqual(await counts(one.series_id), [3, 1])
  assert.deepEqual(await counts(two.series_id), [1, 1])
})

test('totals are right after concurrent writes', async () => {
  const account = await anAccount()
  const { admin } = account

  for (let round = 0; round < 4; round += 1) {
    const videos = await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        admin.post<WireVideo>(VIDEOS, { ...draft, status: i % 2 === 0 ? 'READY' : 'DRAFT' }),
      ),
    )
    await Promise.all(
      videos.map((answer, i) => {
        const address = `${VIDEOS}/${answer.json().video_id}`
        if (i % 4 === 0) return admin.delete(address)
        return admin.patch(address, { status: i % 3 === 0 ? 'READY' : 'DISABLED' })
      }),
    )
    await assertTotals(account)
  }
})

async function assertTotals({ admin, visitor, db }: CatalogAccount): Promise<void> {
  const { rows } = await sql<{ all: number; open: number }>`
    select count(*) as all, count(*) filter (where status = 'READY') as open
      from videos where deleted_ms is null`.execute(db)
  const all = (await admin.get<WirePage<WireVideo>>(`${VIDEOS}?page_size=50`)).json()
  const open = (await visitor.get<WirePage<WireVideo>>(`${VIDEOS}?page_size=50`)).json()
  assert.deepEqual([all.total, open.total], [rows[0]!.all, rows[0]!.open])
  const { rows: kept } = await sql<{ kind: string; total: number }>`
    select kind, total from catalog_totals order by kind`.execute(db)
  assert.deepEqual(kept, [
    { kind: 'video', total: rows[0]!.all },
    { kind: 'video_open', total: rows[0]!.open },
  ])
}

test('a deleted video is removed from its playlists and from search', async () => {
  const { admin } = await anAccount()
  const kept = await made<WireVideo>(admin, VIDEOS, { ...draft, title: 'Kept' })
  const gone = await made<WireVideo>(admin, VIDEOS, { ...draft, title: 'Gone' })
  const { playlist_id } = await made<{ playlist_id: string }>(admin, PLAYLISTS, { title: 'Both' })
  const address = `${PLAYLISTS}/${playlist_id}`
  await admin.put(`${address}/videos`, { video_ids: [gone.video_id, kept.video_id] })

  await admin.delete(`${VIDEOS}/${gone.video_id}`)

  const listed = (await admin.get<WirePage<WireVideo>>(`${address}/videos`)).json()
  assert.deepEqual(
    listed.hits.map(({ title }) => title),
    ['Kept'],
  )
  assert.equal(listed.total, 1)
  assert.equal((await admin.post<WirePage<WireVideo>>(SEARCH, { query: 'gone' })).json().total, 0)
})

test('another account’s video is not found', async () => {
  const [mine, theirs] = [await anAccount(), await anAccount()]
  const { video_id } = await made<WireVideo>(theirs.admin, VIDEOS, draft)
  const address = `${VIDEOS}/${video_id}`

  assertProblem(await mine.admin.get(address), 404, 'video.not_found')
  assertProblem(await mine.admin.patch(address, { title: 'Mine' }), 404, 'video.not_found')
  assertProblem(await mine.admin.delete(address), 404, 'video.not_found')
  assert.equal((await mine.admin.post<WirePage<WireVideo>>(SEARCH, { query: 'tide' })).json().total, 0)
})

test('the functions that run as the owner find and count nothing of another account', async () => {
  const [mine, theirs] = [await anAccount(), await anAccount()]
  await made<WireVideo>(theirs.admin, VIDEOS, draft)
  const { rows: tiers } = await sql<{ tier: number }>`select tier from search_tiers`.execute(theirs.db)
  const none = '00000000-0000-0000-0000-000000000000'
  const anyRow = sql`${-9e15}::bigint, ${9e15}::bigint, 0, 1000000000`
  const match = sql<{ video_id: string }>`
    select video_id from match_videos(${[tiers[0]!.tier]}::integer[], ${-9e15}::bigint, ${none}::uuid,
      ${9e15}::bigint, ${none}::uuid, ${"'~/tide'"}, null, null, ${anyRow}, null)`
  const count = (isIndexOnly: boolean) => sql<{ found: number }>`
    select count_videos(${isIndexOnly}::boolean, ${"'~/tide'"}, null, null, ${anyRow}, 10) as found`

  assert.equal((await match.execute(theirs.db)).rows.length, 1)
  assert.deepEqual((await match.execute(mine.db)).rows, [])
  for (const isIndexOnly of [true, false]) {
    assert.deepEqual((await count(isIndexOnly).execute(theirs.db)).rows, [{ found: 1 }])
    assert.deepEqual((await count(isIndexOnly).execute(mine.db)).rows, [{ found: 0 }])
  }
})

test('a write of a video is audited, and a change with the fields that differ', async () => {
  const { admin, db } = await anAccount()
  const { video_id } = await made<WireVideo>(admin, VIDEOS, { ...draft, description: 'Long.' })
  api.nowMs += 1_000
  await admin.patch(`${VIDEOS}/${video_id}`, { title: 'B' })
  api.nowMs += 1_000
  await admin.delete(`${VIDEOS}/${video_id}`)

  const { rows } = await sql<{ action: string; before: AuditedFields | null; after: AuditedFields | null }>`
    select action, before, after from audit_entries where subject_id = ${video_id} order by audit_id`.execute(
    db,
  )

  assert.deepEqual(
    rows.map(({ action }) => action),
    ['video.create', 'video.change', 'video.delete'],
  )
  assert.equal(rows[0]?.after?.['description'], 'Long.')
  assert.deepEqual(Object.keys(rows[1]?.after ?? {}), ['title', 'last_updated'])
  assert.deepEqual([rows[1]?.before?.['title'], rows[1]?.after?.['title']], ['The Tide Table', 'B'])
  assert.equal(rows[2]?.before?.['title'], 'B')
})

type AuditedFields = Readonly<Record<string, unknown>>

test('text of any script is returned unchanged by every endpoint', async () => {
  const { admin } = await anAccount()
  const titles = ['Žižkov', '東京物語', 'Ёлка', '🎬 Clap', 'œuvre', 'ÿ', '\u{10ffff}']
  for (const title of titles) await made(admin, VIDEOS, { ...draft, title, description: `«${title}»` })

  const listed: string[] = []
  for (let cursor: string | null = '0'; cursor !== null; ) {
    const address: string = `${VIDEOS}?sort=title.ASC&page_size=1&page_offset=${cursor}`
    const answer = await admin.get<WirePage<WireVideo>>(address)
    const { hits, page } = answer.json()
    assert.equal(answer.headers['content-length'], `${Buffer.byteLength(answer.body)}`)
    listed.push(...hits.map(({ title }) => title))
    cursor = page.page_mark
  }
  const found = (await admin.post<WirePage<WireVideo>>(SEARCH, { sort: { field: 'title' } })).json().hits
  const read = await Promise.all(
    found.map(async ({ video_id }) => (await admin.get<WireVideo>(`${VIDEOS}/${video_id}`)).json().title),
  )

  assert.deepEqual(listed.toSorted(), titles.toSorted())
  assert.deepEqual(
    found.map(({ title }) => title),
    listed,
  )
  assert.deepEqual(read, listed)
})
