import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exportCatalog, type ImportItem, importCatalog, UnreachableError } from './index.ts'
import { aCatalog } from './testing/a-catalog.ts'
import { aClient, aSession, collect } from './testing/a-client.ts'
import { hangUp, inSequence, json, problem, type Script } from './testing/scripted-server.ts'
import { differencesOf } from './upsert.ts'

const aVideo = (number: number, fields: object = {}) => ({
  type: 'video',
  source_id: 'north',
  video_source_id: `v${number}`,
  title: `Harbour Nights ${number}`,
  duration: 60,
  ...fields,
})
const itemsOf = (...entries: readonly unknown[]): ImportItem[] =>
  entries.map((entry, at) => ({ position: at + 1, entry }))
const session = aSession('1')

test('creates missing videos, updates those that differ, and leaves the others unchanged', async (t) => {
  const { script, videos } = aCatalog()
  const { client, server } = await aClient(t, script, { session })
  await collect(importCatalog(client, itemsOf(aVideo(1), aVideo(2))))

  const again = itemsOf(aVideo(1), aVideo(2, { title: 'Tide Table' }), aVideo(3))
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

test('a series_key is replaced by the id of the series', async (t) => {
  const { script, series, videos } = aCatalog()
  const { client } = await aClient(t, script, { session })

  const entries = itemsOf(
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
  const [, , rejected] = results
  assert.deepEqual(rejected, {
    item: entries[2],
    outcome: 'refused',
    reason: '"series_key" refers to no earlier series: "days"',
  })
})

test('a series of an earlier import is updated, or created again if it was deleted', async (t) => {
  const { script, series } = aCatalog()
  const { client } = await aClient(t, script, { session })
  const [made] = await collect(importCatalog(client, itemsOf({ type: 'series', key: 'a', title: 'One' })))
  assert.ok(made?.outcome === 'created')

  const entries = itemsOf(
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

test('a brand is created before the entries that refer to it are sent', async (t) => {
  const { script, brands } = aCatalog()
  const strict: Script = (request, response) => {
    const { brand_id } = request.body as { brand_id: string }
    const isKnown = request.url.endsWith('/brands') || brands.has(brand_id)
    return isKnown ? script(request, response) : problem(response, 422, 'brand.unknown')
  }
  const { client } = await aClient(t, strict, { session })

  const brand_id = 'north'
  const entries = itemsOf(
    { type: 'brand', brand_id, name: 'North' },
    { type: 'series', key: 's', title: 'S', brand_id },
    aVideo(1, { brand_id }),
  )
  const results = await collect(importCatalog(client, entries))

  assert.ok(results.every(({ outcome }) => outcome === 'created'))
})

test('an import with the same importId creates nothing twice, even a video without source ids', async (t) => {
  const { script, videos } = aCatalog()
  const { client } = await aClient(t, script, { session })
  const entries = itemsOf(
    { type: 'video', title: 'Untied', duration: 1 },
    { type: 'series', key: 'k', title: 'S' },
  )

  for (let run = 0; run < 3; run += 1) await collect(importCatalog(client, entries, { importId: 'import-1' }))

  assert.equal(videos.size, 1)
})

test('results come in the order of the entries, not of the answers', async (t) => {
  const pending: (() => void)[] = []
  const { client } = await aClient(
    t,
    (request, response) => {
      pending.push(() => json(response, 201, { video_id: (request.body as { title: string }).title }))
      if (pending.length === 4) for (const answer of pending.splice(0).toReversed()) answer()
    },
    { session },
  )

  const entries = itemsOf(...[1, 2, 3, 4, 5, 6, 7, 8].map((number) => aVideo(number)))
  const results = await collect(importCatalog(client, entries, { atOnce: 4 }))

  assert.deepEqual(
    results.map(({ item }) => item.position),
    [1, 2, 3, 4, 5, 6, 7, 8],
  )
})

test('of two entries for the same video the later wins, and at most atOnce requests are in flight', async (t) => {
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

  const entries = itemsOf(...Array.from({ length: 40 }, (_, at) => aVideo(1, { title: `Title ${at}` })))
  await collect(importCatalog(client, entries, { atOnce: 8 }))

  assert.deepEqual(
    [...videos.values()].map(({ title }) => title),
    ['Title 39'],
  )
  assert.ok(most <= 8, String(most))
})

test('a rejected entry is reported with its reason and does not stop the others', async (t) => {
  const invalid: Script = (_, response) =>
    json(response, 400, {
      code: 'request.invalid',
      detail: 'no',
      errors: [{ pointer: '/title', code: 'x', message: 'is too long' }],
    })
  const { client } = await aClient(
    t,
    inSequence(
      invalid,
      (_, r) => problem(r, 422, 'brand.unknown'),
      (_, r) => problem(r, 500, 'internal.error'),
      aCatalog().script,
    ),
    { session },
  )

  const items: ImportItem[] = [
    ...itemsOf(aVideo(1), aVideo(2), aVideo(3), aVideo(4), 7, { type: 'playlist' }, { type: 'series' }),
    { position: 8, fault: 'is not JSON' },
  ]
  const results = await collect(importCatalog(client, items, { atOnce: 1 }))

  assert.deepEqual(
    results.map((result) => (result.outcome === 'refused' ? result.reason : result.outcome)),
    [
      '/title is too long',
      'Failed with brand.unknown',
      'Failed with internal.error (request req-1)',
      'created',
      'is not a JSON object',
      '"type" is "playlist", not brand, series or video',
      'the series has no "key" of 1 to 255 characters',
      'is not JSON',
    ],
  )
})

test('an error that affects every entry is thrown after the results before it', async (t) => {
  for (const [code, status] of [
    ['role.missing', 403],
    ['server.overloaded', 503],
  ] as const) {
    const { client } = await aClient(
      t,
      inSequence(aCatalog().script, (_, response) => problem(response, status, code)),
      { session },
    )
    const seen: string[] = []

    const run = async () => {
      for await (const { outcome } of importCatalog(client, itemsOf(aVideo(1), aVideo(2), aVideo(3)), {
        atOnce: 1,
      }))
        seen.push(outcome)
    }

    await assert.rejects(run(), { code })
    assert.equal(seen.length, 1)
  }
})

test('after a lost answer to an update, the record is read before the update is repeated', async (t) => {
  const { script, videos } = aCatalog()
  let patches = 0
  const losing: Script = async (request, response) => {
    if (request.method !== 'PATCH') return script(request, response)
    patches += 1
    Object.assign(videos.get(request.url.split('/').at(-1) ?? '') ?? {}, request.body)
    return hangUp(request, response)
  }
  const { client } = await aClient(t, losing, { session })
  await collect(importCatalog(client, itemsOf(aVideo(1))))

  const results = await collect(importCatalog(client, itemsOf(aVideo(1, { title: 'Tide Table' }))))

  assert.equal(results[0]?.outcome, 'changed')
  assert.equal(patches, 1)
})

test('an unreachable service ends the import', async (t) => {
  const { client } = await aClient(t, hangUp, { session })

  await assert.rejects(collect(importCatalog(client, itemsOf(aVideo(1)))), UnreachableError)
})

test('entries are read on demand, so a source may be endless', async (t) => {
  const { client } = await aClient(t, aCatalog().script, { session })
  let read = 0
  function* endless() {
    for (;;) {
      read += 1
      yield { position: read, entry: aVideo(read) }
    }
  }

  let given = 0
  for await (const _ of importCatalog(client, endless(), { atOnce: 4 })) {
    given += 1
    if (given === 20) break
  }

  assert.ok(read <= 24, String(read))
})

test('an export imported into another account exports the same entries', async (t) => {
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
      itemsOf(
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
  const results = await collect(importCatalog(other.client, itemsOf(...exported)))
  const back = await collect(exportCatalog(other.client))

  assert.deepEqual(
    results.map(({ outcome }) => outcome),
    ['created', 'created', 'created', 'created'],
  )
  assert.deepEqual(back, exported)
  const again = await collect(importCatalog(here.client, itemsOf(...exported)))
  assert.ok(again.every(({ outcome }) => outcome === 'unchanged'))
})

test('an export can be limited to series or videos', async (t) => {
  const { script } = aCatalog()
  const { client } = await aClient(t, script, { session })
  await collect(
    importCatalog(
      client,
      itemsOf({ type: 'series', key: 's', title: 'S', images: [] }, aVideo(1, { images: [] })),
    ),
  )
  const types = async (what: 'series' | 'videos') =>
    (await collect(exportCatalog(client, { what }))).map(({ type }) => type)

  assert.deepEqual(await types('series'), ['series'])
  assert.deepEqual(await types('videos'), ['video'])
})

test('only the fields of a draft are compared, by meaning and not by notation', () => {
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
