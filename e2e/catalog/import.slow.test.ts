import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { type Client, createClient } from '@continuity/client'
import { seededRandom } from '@continuity/dev/seeded-random'
import { startTestSystem } from '@continuity/dev/test-system'
import { openOwner } from '@continuity/server/owner'
import { continuity, type Login, startContinuity } from './continuity.ts'

const VIDEOS = 150
const KILLS = 4

const system = await startTestSystem()
const folder = await mkdtemp(join(tmpdir(), 'continuity-import-'))
after(async () => {
  await rm(folder, { recursive: true })
  await system[Symbol.asyncDispose]()
})
const [killed, mended, copied, target, fed, faulty] = await addAccounts(
  'killed',
  'mended',
  'copied',
  'target',
  'fed',
  'faulty',
)
const file = (name: string) => join(folder, name)

test('an import that is killed several times imports every record once', async () => {
  const catalog = file('catalog.ndjson')
  await writeCatalog(catalog, VIDEOS, 'every tenth unnamed')
  await using proxy = await startCountingProxy(system.baseUrl)
  const random = seededRandom(17)

  for (let kill = 0; kill < KILLS; kill += 1) {
    const running = startContinuity(proxy.url, killed, 'catalog', 'import', catalog)
    proxy.afterRequests(2 + Math.floor(random() * 60), () => running.kill())
    const { exitCode } = await running.result
    assert.equal(exitCode, null, 'it was killed before it ended')
  }
  const last = await continuity(proxy.url, killed, 'catalog', 'import', catalog, '--json')

  assert.equal(last.exitCode, 0, last.output)
  const report = JSON.parse(last.output) as ImportReport
  assert.equal(report.created + report.changed + report.unchanged, 1 + 5 + VIDEOS)
  const client = await logIn(killed)
  const titles = await titlesOf(client.listVideos.all({ query: { page_size: 50 } }))
  const series = await titlesOf(client.listSeries.all())
  assert.deepEqual(titles, Array.from({ length: VIDEOS }, (_, at) => `Harbour Nights ${at}`).toSorted())
  assert.deepEqual(
    series,
    [0, 1, 2, 3, 4].map((at) => `Series ${at}`),
  )
})

test('a finished import is not repeated, and a corrected file changes only the corrected records', async () => {
  const catalog = file('mended.ndjson')
  await writeCatalog(catalog, 20, 'all named')
  await importAs(mended, catalog)

  const again = await continuity(system.baseUrl, mended, 'catalog', 'import', catalog)
  const restarted = await importAs(mended, catalog, '--restart')
  const text = await readFile(catalog, 'utf8')
  await writeFile(
    catalog,
    text.replace('Harbour Nights 7"', 'Harbour Days 7"').replace('"Series 3"', '"Three"'),
  )
  const changed = await importAs(mended, catalog)
  const other = await continuity(system.baseUrl, fed, 'catalog', 'import', catalog)

  assert.match(again.output, /^All 26 rows are already imported/)
  assert.deepEqual(restarted.counts, { created: 0, changed: 0, unchanged: 26, failed: 0 })
  assert.deepEqual(changed.counts, { created: 0, changed: 2, unchanged: 24, failed: 0 })
  assert.match(other.complaint, /It belongs to an import into mended at .*\nUse another file, with --state\./)
  const client = await logIn(mended)
  assert.deepEqual(await titlesOf(client.listSeries.all()), [
    'Series 0',
    'Series 1',
    'Series 2',
    'Series 4',
    'Three',
  ])
})

test('an export can be imported into another account, and its export is the same', async () => {
  const [first, second] = [file('first.ndjson'), file('second.ndjson')]
  await writeCatalog(file('small.ndjson'), 30, 'every tenth unnamed')
  const source = await importAs(copied, file('small.ndjson'))
  assert.equal(source.exitCode, 0, source.complaint)

  const exported = await continuity(system.baseUrl, copied, 'catalog', 'export', first, '--json')
  const imported = await importAs(target, first)
  await continuity(system.baseUrl, target, 'catalog', 'export', second)
  const unchanged = await importAs(copied, first, '--state', file('back.json'))

  assert.deepEqual(JSON.parse(exported.output), { brands: 1, series: 5, videos: 30 })
  assert.deepEqual(imported.counts, { created: 36, changed: 0, unchanged: 0, failed: 0 })
  assert.deepEqual(await readBySeriesTitle(second), await readBySeriesTitle(first))
  // The three videos without a partner's id are new each time; all others exist.
  assert.deepEqual(unchanged.counts, { created: 3, changed: 0, unchanged: 33, failed: 0 })
})

test('with -, standard output contains only the export', async () => {
  const { output, exitCode } = await continuity(
    system.baseUrl,
    copied,
    'catalog',
    'export',
    '-',
    '--what',
    'series',
  )

  assert.equal(exitCode, 0)
  const types = output
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { type: string }).type)
  assert.deepEqual(types, ['brand', 'series', 'series', 'series', 'series', 'series'])
})

test('an MRSS import creates its videos, and a changed file changes them', async () => {
  const mrss = file('videos.xml')
  const items = Array.from({ length: 30 }, (_, at) => anMrssItem(at))
  await writeMrss(mrss, items)
  const source = ['--source-id', 'tide'] as const

  const first = await importAs(fed, mrss, ...source)
  await writeMrss(mrss, [anMrssItem(0, 'Ebb'), ...items.slice(1), '<item><title>No guid</title></item>'])
  const second = await importAs(fed, mrss, ...source)

  assert.deepEqual(first.counts, { created: 30, changed: 0, unchanged: 0, failed: 0 })
  assert.deepEqual(second.counts, { created: 0, changed: 1, unchanged: 29, failed: 1 })
  assert.equal(second.exitCode, 1)
  assert.deepEqual(second.faults, [{ where: 'item 31, line 394', reason: 'has no guid' }])
  const client = await logIn(fed)
  const body = { filter: { eq: { video_source_id: 'tide-0' } } }
  const [video] = (await client.searchVideos({ query: { media_type: 'hls' }, body })).hits
  assert.ok(video !== undefined)
  assert.deepEqual(
    [video.title, video.description, video.duration, video.status, video.media_url, video.date_published],
    ['Ebb', 'Water & wind', 90, 'READY', 'https://north.example/tide-0.m3u8', '2026-03-01T18:00:00.000Z'],
  )
})

test('an invalid line is reported with its number and reason, and the others are imported', async () => {
  const catalog = file('faulty.ndjson')
  const lines = [
    '{"type":"video","title":"Fine","duration":1}',
    '{"type":"video","title":"","duration":-1}',
    '{"type":"video","title":"Fine too","duration":1,"brand_id":"missing"}',
    '{"type":"video","title":',
    '{"type":"film"}',
    '{"type":"video","title":"Fine at last","duration":1}',
  ]
  await writeFile(catalog, lines.join('\n'))

  const { exitCode, complaint, output } = await continuity(
    system.baseUrl,
    faulty,
    'catalog',
    'import',
    catalog,
  )
  const stopped = await importAs(faulty, catalog, '--restart', '--stop-at', '2')
  const onward = await importAs(faulty, catalog)

  assert.equal(exitCode, 1)
  assert.match(
    complaint,
    /^line 2: .*\/title.*\/duration.*\nline 3: .*brand.*\nline 4: is not JSON.*\nline 5: "type" is "film".*\n$/,
  )
  assert.match(output, /created +2\n +changed +0\n +unchanged +0\n +failed +4\n/)
  assert.deepEqual(
    stopped.faults.map(({ where }) => where),
    ['line 2', 'line 3'],
  )
  assert.equal(stopped.isFinished, false)
  assert.deepEqual(
    onward.faults.map(({ where }) => where),
    ['line 4', 'line 5'],
  )
  assert.ok(onward.isFinished)
})

interface ImportReport {
  readonly created: number
  readonly changed: number
  readonly unchanged: number
  readonly failed: number
  readonly is_finished: boolean
  readonly faults: readonly { readonly where: string; readonly reason: string }[]
}

async function importAs(login: Login, ...words: readonly string[]) {
  const result = await continuity(system.baseUrl, login, 'catalog', 'import', ...words, '--json')
  assert.ok(result.output !== '', result.complaint)
  const { created, changed, unchanged, failed, is_finished, faults } = JSON.parse(
    result.output,
  ) as ImportReport
  return { ...result, counts: { created, changed, unchanged, failed }, isFinished: is_finished, faults }
}

async function addAccounts<const N extends readonly string[]>(
  ...names: N
): Promise<{ [K in keyof N]: Login }> {
  const logins: Login[] = []
  for (const name of names) logins.push(await addAccount(name))
  return logins as { [K in keyof N]: Login }
}

async function addAccount(account_name: string): Promise<Login> {
  const owner = openOwner(system.databaseOwnerUrl, Date.now())
  const login = { account_name, email: `desk@${account_name}.example`, password: 'tide table 17' }
  try {
    const format = { title: undefined, country: undefined, frame_rate: undefined, segment_ms: undefined }
    await owner.createAccount({ account_name, ...format })
    const { email, password } = login
    await owner.createUser(account_name, { email, name: '', password, roles: ['ROLE_ADMIN'] })
  } finally {
    await owner.close()
  }
  return login
}

async function logIn(login: Login): Promise<Client> {
  const client = createClient({ baseUrl: system.baseUrl })
  await client.login({ body: login })
  return client
}

async function titlesOf(records: AsyncIterable<{ readonly title: string }>): Promise<string[]> {
  const titles: string[] = []
  for await (const { title } of records) titles.push(title)
  return titles.toSorted()
}

/** The sorted lines of an export, with titles of series instead of keys, which are ids. */
async function readBySeriesTitle(path: string): Promise<string[]> {
  type Line = { type: string; key?: string; series_key?: string | null; title?: string }
  const lines = (await readFile(path, 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
  const titles = new Map(
    lines.flatMap(({ type, key = '', title }) => (type === 'series' ? [[key, title] as const] : [])),
  )
  return lines
    .map(({ key, series_key, ...rest }) =>
      JSON.stringify({ ...rest, key: titles.get(key ?? ''), series: titles.get(series_key ?? '') }),
    )
    .toSorted()
}

interface CountingProxy extends AsyncDisposable {
  readonly url: string
  /**
   * Calls back when so many more requests have had their effect. The last of them
   * gets no answer, so that its caller cannot know that it was carried out.
   */
  afterRequests(count: number, act: () => void): void
}

/** A proxy between a client and the API. */
async function startCountingProxy(target: string): Promise<CountingProxy> {
  let left = Infinity
  let reached = () => {}

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/', headers } = request
    const body = await buffer(request)
    const { host: _, connection: __, ...own } = headers
    const answer = await fetch(target + url, {
      method,
      headers: own as Record<string, string>,
      ...(body.length > 0 ? { body } : {}),
    })
    const answered = Buffer.from(await answer.arrayBuffer())
    left -= 1
    if (left === 0) {
      reached()
      response.destroy()
      return
    }
    const kept = ['content-type', 'etag', 'retry-after'].flatMap((name) => {
      const value = answer.headers.get(name)
      return value === null ? [] : [[name, value] as const]
    })
    response.writeHead(answer.status, Object.fromEntries(kept)).end(answered)
  }

  // The client may be killed in the middle of a request.
  const server = createServer(
    (request, response) => void pass(request, response).catch(() => response.destroy()),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    afterRequests(count, act) {
      left = count
      reached = act
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

const SERIES = 5

/** A brand, series and videos. Videos without a partner's id are new to every import. */
async function writeCatalog(path: string, videos: number, unnamed: 'every tenth unnamed' | 'all named') {
  const entries = [
    { type: 'brand', brand_id: 'north', name: 'North' },
    ...Array.from({ length: SERIES }, (_, at) => ({
      type: 'series',
      key: `series ${at}`,
      title: `Series ${at}`,
      description: 'A port that never sleeps.',
      brand_id: 'north',
      images: [anImage(at)],
      status: 'READY',
    })),
    ...Array.from({ length: videos }, (_, at) => aVideo(at, unnamed === 'all named' || at % 10 !== 0)),
  ]
  await writeFile(path, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
}

function aVideo(at: number, isNamed: boolean) {
  const named = isNamed ? { source_id: 'north', video_source_id: `video-${at}` } : {}
  return {
    type: 'video',
    ...named,
    title: `Harbour Nights ${at}`,
    description: 'Line one.\nLine "two" – ☺',
    duration: 60 + at,
    series_key: `series ${at % SERIES}`,
    season_number: 1,
    episode_number: at,
    brand_id: 'north',
    keywords: ['port', `word ${at}`],
    genres: [{ genre: 'Drama', sub_genre: '' }],
    audio_language: 'de',
    parental_rating: '12',
    date_published: new Date(Date.UTC(2026, 2, 1) + at * 60_000).toISOString(),
    date_available: at % 3 === 0 ? '2026-03-01T00:00:00.000Z' : null,
    images: [anImage(at)],
    status: at % 7 === 0 ? 'DISABLED' : 'READY',
    mp4_url: `https://north.example/${at}.mp4`,
    hls_url: at % 2 === 0 ? `https://north.example/${at}.m3u8` : null,
  }
}

const anImage = (at: number) => ({
  width: 1_280,
  height: 720,
  image_type: 'THUMBNAIL',
  original_image_url: `https://north.example/${at}.jpg`,
})

async function writeMrss(path: string, items: readonly string[]): Promise<void> {
  const mrss = `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/" xmlns:dcterms="http://purl.org/dc/terms/">
<channel><title>North</title>
${items.join('\n')}
</channel></rss>
`
  await writeFile(path, mrss)
}

const anMrssItem = (at: number, title = `Tide Table ${at}`) => `<item>
  <guid>tide-${at}</guid>
  <title>${title}</title>
  <description><![CDATA[<p>Water &amp; wind</p>]]></description>
  <pubDate>Sun, 01 Mar 2026 19:00:00 +0100</pubDate>
  <dcterms:valid>start=2026-03-01T18:00:00Z; end=2030-01-01T00:00:00Z;</dcterms:valid>
  <media:group>
    <media:content url="https://north.example/tide-${at}.mp4" type="video/mp4" duration="90.4"/>
    <media:content url="https://north.example/tide-${at}.m3u8" type="application/x-mpegURL"/>
  </media:group>
  <media:keywords>tide, port</media:keywords>
  <media:thumbnail url="https://north.example/tide-${at}.jpg" width="640" height="360"/>
</item>`
