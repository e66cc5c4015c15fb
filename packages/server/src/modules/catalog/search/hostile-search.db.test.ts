import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { after, test } from 'node:test'
import { buildApi } from '../../../http/build-api.ts'
import { bindOptions, listen, serverOptions } from '../../../http/testing/a-server.ts'
import { somePageCursors } from '../../../http/testing/an-api.ts'
import { aCapturedLog } from '../../../http/testing/captured-log.ts'
import { credentialHeaders } from '../../../http/testing/credentials.ts'
import { aRequest } from '../../../http/testing/wire.ts'
import { aDatabase } from '../../../platform/testing/a-database.ts'
import { addAccounts } from '../../../platform/testing/an-account.ts'
import { anActor } from '../../../platform/testing/an-actor.ts'
import { catalogRoutes } from '../routes.ts'
import { SEARCH } from '../testing/a-catalog-api.ts'
import { createVideo } from '../videos/create-video.ts'

/**
 * The limit for a request, in durations of a plain search, for its own time and for the time that it blocks the event
 * loop. Both are measured alternately, so that a busy machine slows both.
 */
const MOST_SEARCHES = 20

/** For requests of the largest size, which keep the database busy for some time. */
const MOST_SEARCHES_OF_LARGEST = 100

const ROUNDS = 10

/** With three letters before it, a word of the largest length that is corrected. */
const LONG = 'abcdefghijklmnopqrstuvwxyzabcdefghijk'

const { database, ownerUrl } = await aDatabase()
const accountId = randomUUID()
await addAccounts(ownerUrl, { hostile: accountId })
await addLongWords()
const { server } = buildApi({
  ...serverOptions(aCapturedLog()),
  ...bindOptions,
  checkAnswers: false,
  dependencies: [],
  handlers: catalogRoutes({
    database,
    pageCursors: somePageCursors(),
    isReferenced: async () => false,
    mediaBase: 'https://media.example/',
  }),
})
const port = await listen(server)
after(async () => {
  server.server.closeAllConnections()
  await server.close()
})

/** Adds titles of similar words of the largest length that is corrected. */
async function addLongWords(): Promise<void> {
  const word = (n: number) =>
    `${n.toString(26).replaceAll(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)]!)}${LONG}`
  await database
    .forAccount(accountId)
    .transaction()
    .execute(async (tx) => {
      for (let i = 0; i < 100; i += 1) {
        const title = Array.from({ length: 6 }, (_, at) => word(1_000 + 6 * i + at)).join(' ')
        await createVideo(tx, anActor(accountId), { title, duration: 60 })
      }
    })
}

const credential = { ...credentialHeaders({ accountId }), 'content-type': 'application/json' }
const line = `POST ${SEARCH}`

/** The bytes of a request with a content-length. */
const plain = (body: string): Buffer => {
  const length = `${Buffer.byteLength(body)}`
  return Buffer.from(aRequest(line, { ...credential, 'content-length': length }, body))
}

const json = (body: object) => plain(JSON.stringify(body))

/** The bytes of a chunked request, without a content-length. */
function chunked(body: string): Buffer {
  const size = 65_536
  const chunks = Array.from({ length: Math.ceil(body.length / size) }, (_, i) => {
    const chunk = body.slice(i * size, (i + 1) * size)
    return `${Buffer.byteLength(chunk).toString(16)}\r\n${chunk}\r\n`
  })
  const content = `${chunks.join('')}0\r\n\r\n`
  return Buffer.from(aRequest(line, { ...credential, 'transfer-encoding': 'chunked' }, content))
}

/** Sends bytes and returns the status. The server may close the connection before it has received all of them. */
async function statusOf(bytes: Buffer): Promise<number> {
  const socket = connect({ port, host: '127.0.0.1' })
  const answered: Buffer[] = []
  socket.on('error', () => {})
  socket.on('data', (chunk) => answered.push(chunk))
  socket.write(bytes)
  await new Promise((resolve) => socket.on('close', resolve))
  return Number(Buffer.concat(answered).toString('latin1').split(' ')[1])
}

/**
 * Asserts that a request gets this status, takes no longer than `most` plain searches, and does not block the event
 * loop for longer than `MOST_SEARCHES`. One good round suffices, because the machine may be busy in the others.
 */
async function assertHarmless(
  name: string,
  bytes: Buffer,
  status: number,
  most = MOST_SEARCHES,
): Promise<void> {
  const rounds: string[] = []
  for (let i = 0; i < ROUNDS; i += 1) {
    const usualMs = await timeOf(async () => {
      for (let n = 0; n < MOST_SEARCHES; n += 1) assert.equal(await statusOf(PLAIN_SEARCH), 200)
    })
    const delays = monitorEventLoopDelay({ resolution: 1 })
    delays.enable()
    const tookMs = await timeOf(async () => assert.equal(await statusOf(bytes), status, name))
    delays.disable()
    const searchMs = usualMs / MOST_SEARCHES
    const [took, blocked] = [tookMs / searchMs, delays.max / 1e6 / searchMs]
    if (took <= most && blocked <= MOST_SEARCHES) return
    rounds.push(`${took.toFixed(1)} (${blocked.toFixed(1)})`)
  }
  assert.fail(`${name} took as long as ${rounds.join(', ')} plain searches (and blocked for as long)`)
}

const PLAIN_SEARCH = json({})

async function timeOf(work: () => Promise<void>): Promise<number> {
  const startMs = performance.now()
  await work()
  return performance.now() - startMs
}

const nested = (depth: number, open: string, inner: string, close: string) =>
  `{"filter":${open.repeat(depth)}${inner}${close.repeat(depth)}}`
const times = <T>(count: number, value: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => value(at))

test('a body that is nested too deeply is rejected', async () => {
  const leaf = '{"exists":"title"}'
  const cases: readonly (readonly [string, Buffer, number])[] = [
    ['100,000 arrays', plain('['.repeat(100_000)), 400],
    ['100,000 arrays, closed', plain('['.repeat(100_000) + ']'.repeat(100_000)), 400],
    ['a filter of 100,000 arrays', plain(nested(100_000, '[', '', ']')), 400],
    ['30,000 nots', plain(nested(30_000, '{"not":', leaf, '}')), 400],
    ['100,000 nots', plain(nested(100_000, '{"not":', leaf, '}')), 413],
    ['20,000 ands', plain(nested(20_000, '{"and":[', leaf, ']}')), 400],
    ['31 nots', plain(nested(29, '{"not":', leaf, '}')), 400],
    ['11 nots', plain(nested(11, '{"not":', leaf, '}')), 400],
    ['9 nots', plain(nested(9, '{"not":', leaf, '}')), 200],
  ]
  for (const [name, bytes, status] of cases) await assertHarmless(name, bytes, status)
})

test('a body of 10 MB is rejected, with or without a content-length', async () => {
  const filler = 'x'.repeat(10 * 1024 * 1024)
  const values = `{"filter":{"in":{"title":[${'"a",'.repeat(2_500_000)}"a"]}}}`

  await assertHarmless('10 MB of text', plain(`{"query":"${filler}"}`), 413)
  await assertHarmless('10 MB of text in chunks', chunked(`{"query":"${filler}"}`), 413)
  await assertHarmless('10 MB of values', plain(values), 413)
  await assertHarmless('10 MB of values in chunks', chunked(values), 413)
})

test('the limits are accepted, and one more is rejected', async () => {
  const node = { exists: 'title' }
  const cases: readonly (readonly [string, object, number])[] = [
    ['100 nodes', { filter: { and: times(99, () => node) } }, 200],
    ['101 nodes', { filter: { and: times(100, () => node) } }, 400],
    ['101 nodes in three lists', { filter: { or: times(3, () => ({ and: times(33, () => node) })) } }, 400],
    ['500 values', { filter: { in: { title: times(500, String) } } }, 200],
    ['501 values', { filter: { in: { title: times(501, String) } } }, 400],
    ['21 fields', { filter: { eq: Object.fromEntries(times(21, (at) => [`f${at}`, 'a'])) } }, 400],
    ['1,000 characters', { query: 'x'.repeat(1_000) }, 200],
    ['1,001 characters', { query: 'x'.repeat(1_001) }, 400],
    ['500 words of one letter', { query: times(500, (at) => 'abcdefghij'[at % 10]).join(' ') }, 200],
    ['1,000 words of one letter', { query: 'a '.repeat(1_000) }, 400],
    ['20,000 members', { filter: Object.fromEntries(times(20_000, (at) => [`f${at}`, 1])) }, 400],
  ]
  for (const [name, body, status] of cases) await assertHarmless(name, json(body), status)
})

test('the largest accepted filters are not too slow', async () => {
  const values = times(500, (at) => `value ${at}`)
  const query = times(50, (at) => `word${at}`).join(' ')
  const cases: readonly (readonly [string, object])[] = [
    ['500 values beside a long query', { query, filter: { in: { brand_id: values } } }],
    [
      '500 values of a field that is not in the index, beside it',
      { query, filter: { in: { title: values } } },
    ],
    [
      '500 values in each of 14 fields',
      { query, filter: { in: Object.fromEntries(labels.map((name) => [name, times(500, String)])) } },
    ],
  ]
  for (const [name, body] of cases) await assertHarmless(name, json(body), 200)
  const lists = (count: number, field: string, value: (at: number) => string) => ({
    filter: { or: times(count, (n) => ({ in: { [field]: times(500, (at) => value(500 * n + at)) } })) },
  })
  const dates = lists(34, 'date_created', (at) => `now-${at}s`)
  const titles = lists(60, 'title', (at) => at.toString(36))
  const conditions = { filter: { or: times(99, () => ({ lte: ordered })) } }
  await assertHarmless('99 times 8 conditions', json(conditions), 200, MOST_SEARCHES_OF_LARGEST)
  await assertHarmless('17,000 dates', json(dates), 200, MOST_SEARCHES_OF_LARGEST)
  await assertHarmless('30,000 titles', json(titles), 200, MOST_SEARCHES_OF_LARGEST)
})

const labels = [
  'channel_id',
  'series_id',
  'brand_id',
  'source_id',
  'status',
  'audio_language',
  'country_origin',
  'content_format',
  'content_type',
  'cut',
  'periodicity',
  'parental_rating',
  'genre',
  'sub_genre',
]
const ordered = {
  duration: 1,
  season_number: 1,
  episode_number: 1,
  date_published: 'now',
  date_available: 'now',
  date_expired: 'now',
  date_created: 'now',
  last_updated: 'now',
}

test('characters that are special to the database are searched as text or ignored', async () => {
  const signs = [
    "&|!():*<->'",
    '\\',
    "\\'",
    "'",
    "''",
    '"',
    "'; drop table videos; --",
    '$1',
    '%',
    '_',
    '~',
    '~/=ga',
    '1/a',
    'a:*',
    'a:A',
    '!a',
    'a & b',
    'a | !b',
    'a <-> b',
    '(a',
    'a)',
    '{a,b}',
    '{"a"}',
    'NULL',
    '\u0001',
    '\u001f',
    '.*',
    '(a+)+$',
    '[',
    '\\d',
    '^',
    '(?<=a)',
    '\ufffe',
    '\u{10ffff}',
    '\u202e',
    'a\u0300'.repeat(300),
    '"a'.repeat(400),
    '-'.repeat(1_000),
    '"'.repeat(1_000),
    '-"'.repeat(500),
    "'".repeat(1_000),
    '\\'.repeat(1_000),
  ]
  for (const sign of signs) {
    const value = sign.slice(0, 255)
    for (const body of [
      { query: sign },
      { query: `"${sign}" -${sign}`.slice(0, 1_000), fields: ['description'] },
      { filter: { in: { brand_id: [value] } } },
      {
        query: 'a',
        filter: { or: [{ eq: { title: value } }, { in: { keywords: [value], channel_id: [value] } }] },
      },
    ]) {
      assert.equal(await statusOf(json(body)), 200, JSON.stringify(body))
    }
  }
})

test('unknown words are not too slow, though hundreds of words are similar', async () => {
  const mistyped = (at: number) => `${'zyxw'[at]}zz${LONG}`
  await assertHarmless('a long word', json({ query: mistyped(0) }), 200, MOST_SEARCHES_OF_LARGEST)
  await assertHarmless(
    'four long words',
    json({ query: times(4, mistyped).join(' ') }),
    200,
    MOST_SEARCHES_OF_LARGEST,
  )
  await assertHarmless(
    'a phrase of four',
    json({ query: `"${times(4, mistyped).join(' ')}"` }),
    200,
    MOST_SEARCHES_OF_LARGEST,
  )
  await assertHarmless(
    'thirty long words',
    json({ query: times(24, () => randomUUID().replaceAll('-', 'x')).join(' ') }),
    200,
  )
})
