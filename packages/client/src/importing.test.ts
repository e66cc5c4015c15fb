import assert from 'node:assert/strict'
import { test } from 'node:test'
import { differencesOf } from './draft-differences.ts'
import { exportCatalog, importCatalog, type Placed, UnreachableError } from './index.ts'
import { aCatalog } from './testing/a-catalog.ts'
import { aClient, aSession, collect } from './testing/a-client.ts'
import { hangUp, inTurn, json, problem, type Script } from './testing/scripted-server.ts'

const aVideo = (number: number, fields: object = {}) => ({
  type: 'video',
  source_id: 'north',
  video_source_id: `v${number}`,
  title: `Harbour Nights ${number}`,
  duration: 60,
  ...fields,
})
const placed = (...entries: readonly unknown[]): Placed[] =>
  entries.map((entry, at) => ({ place: at + 1, entry }))
const session = aSession('1')

test('what is not there is made, what differs is changed, and the rest is left alone', async (t) => {
  const { script, videos } = aCatalog()
  const { client, server } = await aClient(t, script, { session })
  await collect(importCatalog(client, placed(aVideo(1), aVideo(2))))

  const again = placed(aVideo(1), aVideo(2, { title: 'Tide Table' }), aVideo(3))
  const results = await collect(importCatalog(client, again))

  assert.deepEqual(
    results.map(({ outcome }) => outcome),
    ['unchanged', 'changed', 'created'],
  )
  assert.equal(videos.size, 3)
  const changes = server.seen.filter(({ method }) => method === 'PATCH')
  assert.deepEqual(
    changes.map(({ body }) => body),
    [{ title: 'Tide Table' }],
  )
})

test('videos name a series by its key, which becomes an id when the series is there', async (t) => {
  const { script, series, videos } = aCatalog()
  const { client } = await aClient(t, script, { session })

  const entries = placed(
    { type: 'series', key: 'nights', title: 'Harbour Nights' },
    aVideo(1, { series_key: 'nights' }),
    aVideo(2, { series_key: 'days' }),
    aVideo(3, { series_key: 'earlier' }),
  )
  const seriesIds = new Map([['earlier', 'series-7']])
  const results = await collect(importCatalog(client, entries, { seriesIds }))

  const [id] = series.keys()
  const named = [...videos.values()].map((video) => [video['video_source_id'], video['series_id']])
  assert.deepEqual(Object.fromEntries(named), { v1: id, v3: 'series-7' })
  const [, , refused] = results
  assert.deepEqual(refused, {
    item: entries[2],
    outcome: 'refused',
    reason: '"series_key" names no series above: "days"',
  })
})

test('a series of an earlier import is changed, and made again where somebody deleted it', async (t) => {
  const { script, series } = aCatalog()
  const { client } = await aClient(t, script, { session })
  const [made] = await collect(importCatalog(client, placed({ type: 'series', key: 'a', title: 'One' })))
  assert.ok(made?.outcome === 'created')

  const entries = placed(
    { type: 'series', key: 'a', title: 'Two' },
    { type: 'series', key: 'b', title: 'Three' },
  )
  const seriesIds = new Map([
    ['a', made.id],
    ['b', 'deleted'],
  ])
  const results = await collect(importCatalog(client, entries, { seriesIds }))

  assert.deepEqual(
    results.map(({ outcome }) => outcome),
    ['changed', 'created'],
  )
  assert.deepEqual(
    [...series.values()].map(({ title }) => title),
    ['Two', 'Three'],
  )
})

test('a brand is there before anything that names it is sent', async (t) => {
  const { script, brands } = aCatalog()
  const strict: Script = (request, response) => {
    const { brand_id } = request.body as { brand_id: string }
    const isKnown = request.url.endsWith('/brands') || brands.has(brand_id)
    return isKnown ? script(request, response) : problem(response, 422, 'brand.unknown')
  }
  const { client } = await aClient(t, strict, { session })

  const brand_id = 'north'
  const entries = placed(
    { type: 'brand', brand_id, name: 'North' },
    { type: 'series', key: 's', title: 'S', brand_id },
    aVideo(1, { brand_id }),
  )
  const results = await collect(importCatalog(client, entries))

  assert.ok(results.every(({ outcome }) => outcome === 'created'))
})

test('an import of the same name makes nothing twice, though nothing names the video', async (t) => {
  const { script, videos } = aCatalog()
  const { client } = await aClient(t, script, { session })
  const entries = placed(
    { type: 'video', title: 'Untied', duration: 1 },
    { type: 'series', key: 'k', title: 'S' },
  )

  for (let run = 0; run < 3; run += 1) await collect(importCatalog(client, entries, { importId: 'import-1' }))

  assert.equal(videos.size, 1)
})

test('results come in the order of the entries, however the answers come', async (t) => {
  const held: (() => void)[] = []
  const { client } = await aClient(
    t,
    (request, response) => {
      held.push(() => json(response, 201, { video_id: (request.body as { title: string }).title }))
      if (held.length === 4) for (const answer of held.splice(0).toReversed()) answer()
    },
    { session },
  )

  const entries = placed(...[1, 2, 3, 4, 5, 6, 7, 8].map((number) => aVideo(number)))
  const results = await collect(importCatalog(client, entries, { atOnce: 4 }))

  assert.deepEqual(
    results.map(({ item }) => item.place),
    [1, 2, 3, 4, 5, 6, 7, 8],
  )
})

test('of two entries with one name the later wins, and no more than the bound are in flight', async (t) => {
  const { script, videos } = aCatalog()
  let [inFlight, most] = [0, 0]
  const counting: Script = async (request, response) => {
    inFlight += 1
    most = Math.max(most, inFlight)
    response.on('close', () => {
      inFlight -= 1
    })
    await script(request, response)
  }
  const { client } = await aClient(t, counting, { session })

  const entries = placed(...Array.from({ length: 40 }, (_, at) => aVideo(1, { title: `Title ${at}` })))
  await collect(importCatalog(client, entries, { atOnce: 8 }))

  assert.deepEqual(
    [...videos.values()].map(({ title }) => title),
    ['Title 39'],
  )
  assert.ok(most <= 8, String(most))
})

test('what is wrong with one entry is told with its reason and stops no other', async (t) => {
  const refuse: Script = (_, response) =>
    json(response, 400, {
      code: 'request.invalid',
      detail: 'no',
      errors: [{ pointer: '/title', code: 'x', message: 'is too long' }],
    })
  const { client } = await aClient(
    t,
    inTurn(
      refuse,
      (_, r) => problem(r, 422, 'brand.unknown'),
      (_, r) => problem(r, 500, 'internal.error'),
      aCatalog().script,
    ),
    { session },
  )

  const items: Placed[] = [
    ...placed(aVideo(1), aVideo(2), aVideo(3), aVideo(4), 7, { type: 'playlist' }, { type: 'series' }),
    { place: 8, fault: 'is no JSON' },
  ]
  const results = await collect(importCatalog(client, items, { atOnce: 1 }))

  assert.deepEqual(
    results.map((result) => (result.outcome === 'refused' ? result.reason : result.outcome)),
    [
      '/title is too long',
      'Refused with brand.unknown',
      'Refused with internal.error (request req-1)',
      'created',
      'is no JSON object',
      '"type" is "playlist", not brand, series or video',
      'the series has no "key" of 1 to 255 characters',
      'is no JSON',
    ],
  )
})

test('what would refuse every entry is thrown, behind the results before it', async (t) => {
  for (const [code, status] of [
    ['role.missing', 403],
    ['server.overloaded', 503],
  ] as const) {
    const { client } = await aClient(
      t,
      inTurn(aCatalog().script, (_, response) => problem(response, status, code)),
      { session },
    )
    const seen: string[] = []

    const run = async () => {
      for await (const { outcome } of importCatalog(client, placed(aVideo(1), aVideo(2), aVideo(3)), {
        atOnce: 1,
      }))
        seen.push(outcome)
    }

    await assert.rejects(run(), { code })
    assert.equal(seen.length, 1)
  }
})

test('a change whose answer was lost is looked at again before it is repeated', async (t) => {
  const { script, videos } = aCatalog()
  let patches = 0
  const losing: Script = async (request, response) => {
    if (request.method !== 'PATCH') return script(request, response)
    patches += 1
    Object.assign(videos.get(request.url.split('/').at(-1) ?? '') ?? {}, request.body)
    return hangUp(request, response)
  }
  const { client } = await aClient(t, losing, { session })
  await collect(importCatalog(client, placed(aVideo(1))))

  const results = await collect(importCatalog(client, placed(aVideo(1, { title: 'Tide Table' }))))

  assert.equal(results[0]?.outcome, 'changed')
  assert.equal(patches, 1)
})

test('a service that is gone ends the import', async (t) => {
  const { client } = await aClient(t, hangUp, { session })

  await assert.rejects(collect(importCatalog(client, placed(aVideo(1)))), UnreachableError)
})

test('entries are read as they are wanted: an endless source is no trouble', async (t) => {
  const { client } = await aClient(t, aCatalog().script, { session })
  let read = 0
  function* endless() {
    for (;;) {
      read += 1
      yield { place: read, entry: aVideo(read) }
    }
  }

  let given = 0
  for await (const _ of importCatalog(client, endless(), { atOnce: 4 })) {
    given += 1
    if (given === 20) break
  }

  assert.ok(read <= 24, String(read))
})

test('what an export gives, an import makes elsewhere, and its export gives the same', async (t) => {
  const there = aCatalog()
  const here = await aClient(t, there.script, { session })
  const image = {
    width: 1_280,
    height: 720,
    image_type: 'POSTER',
    original_image_url: 'https://north.example/a.jpg',
  }
  await collect(
    importCatalog(
      here.client,
      placed(
        { type: 'brand', brand_id: 'north', name: 'North' },
        {
          type: 'series',
          key: 'nights',
          title: 'Harbour Nights',
          description: '',
          brand_id: 'north',
          images: [image],
          status: 'READY',
        },
        aVideo(1, {
          series_key: 'nights',
          images: [image],
          hls_url: 'https://north.example/a.m3u8',
          mp4_url: null,
          status: 'READY',
        }),
        aVideo(2, { images: [], hls_url: null, mp4_url: 'https://north.example/a.mp4', status: 'DISABLED' }),
      ),
    ),
  )
  const exported = await collect(exportCatalog(here.client))

  const other = await aClient(t, aCatalog().script, { session })
  const results = await collect(importCatalog(other.client, placed(...exported)))
  const back = await collect(exportCatalog(other.client))

  assert.deepEqual(
    results.map(({ outcome }) => outcome),
    ['created', 'created', 'created', 'created'],
  )
  assert.deepEqual(back, exported)
  const again = await collect(importCatalog(here.client, placed(...exported)))
  assert.ok(again.every(({ outcome }) => outcome === 'unchanged'))
})

test('an export gives what was asked for', async (t) => {
  const { script } = aCatalog()
  const { client } = await aClient(t, script, { session })
  await collect(
    importCatalog(
      client,
      placed({ type: 'series', key: 's', title: 'S', images: [] }, aVideo(1, { images: [] })),
    ),
  )
  const types = async (what: 'series' | 'videos') =>
    (await collect(exportCatalog(client, { what }))).map(({ type }) => type)

  assert.deepEqual(await types('series'), ['series'])
  assert.deepEqual(await types('videos'), ['video'])
})

test('only what a draft says is compared, and each thing as what it means', () => {
  const record = {
    title: 'A',
    description: 'kept',
    date_published: '2026-03-01T18:00:00.000Z',
    genres: [{ genre: 'News', sub_genre: '' }],
    images: [{ width: 1, height: 2, image_type: 'LOGO', original_image_url: 'x', image_url: 'y' }],
    keywords: ['a', 'b'],
  }
  const same = {
    title: 'A',
    date_published: '2026-03-01T18:00:00Z',
    genres: [{ sub_genre: '', genre: 'News' }],
    images: [{ image_type: 'LOGO', width: 1, height: 2, original_image_url: 'x' }],
  }

  assert.deepEqual(differencesOf(record, same), {})
  assert.deepEqual(differencesOf(record, { keywords: ['b', 'a'], date_published: null, title: 'A' }), {
    keywords: ['b', 'a'],
    date_published: null,
  })
})
