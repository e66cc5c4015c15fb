import { type Endpoint, type OperationId, operationList, operations } from '@continuity/contract'
import type { Sql } from '@continuity/dev/sql'
import type { RawAnswer, RawRequest } from '../send-raw.ts'
import { describeAnswer, everyWay, pathParameters, type RequestParts, requestTo } from './api.ts'
import {
  aPod,
  aProgram,
  type FilledAccount,
  markOf,
  type Names,
  pagedLists,
  unusedNames,
  type World,
} from './world.ts'

/** An attempt to reach records of another account, whose names are sent by `self`. */
interface Try {
  readonly e: Endpoint
  readonly what: string
  parts(names: Names, self: FilledAccount): RequestParts
}

/** In a path or a query. */
type Texts = Record<string, string | undefined>
type Of<T> = (names: Names, self: FilledAccount) => T

const inBody = (id: OperationId, what: string, body: Of<unknown>): Try => ({
  e: operations[id],
  what,
  parts: (names, self) => ({ body: body(names, self) }),
})

const inQuery = (id: OperationId, what: string, query: Of<Texts>): Try => ({
  e: operations[id],
  what,
  parts: (names, self) => ({ query: query(names, self) as Record<string, string> }),
})

/** With a record of its own in the path, unless that is the name that is tried. */
const at = (id: OperationId, what: string, path: Of<Texts>, body?: Of<unknown>): Try => ({
  e: operations[id],
  what,
  parts: (names, self) => ({
    params: path(names, self) as Record<string, string>,
    body: body?.(names, self),
  }),
})

const ownChannel: Of<Texts> = (_, { names }) => ({
  linear_channel_id: names['second_linear_channel_id'],
})
const aSource = { name: 'Ours', type: 'HLS_PULL', metadata: { input_url: 'https://live.example/ours.m3u8' } }
const planOf = (content: object) => ({ time_zone: 'UTC', default: { content, order: 'SHUFFLE' } })
const programIn: Of<Texts> = ({ program_id }, { names }) => ({
  linear_channel_id: names['linear_channel_id'],
  program_id,
})

/**
 * Ids in the path and cursors of lists are tried with every operation that has them. What a query or a body can name is
 * listed here by hand.
 */
const inQueryAndBody: readonly Try[] = [
  inBody('login', 'its e-mail and password', ({ email, password }, { accountName: account_name }) => ({
    account_name,
    email,
    password,
  })),
  inBody('registerDevice', 'its SDK key, with another account put in', (n, { accountId }) => ({
    app_name: n['app_name'],
    sdk_key: putId(n['sdk_key']!, accountId, 0),
  })),
  inBody('registerDevice', 'its name of an app, with an SDK key of another', ({ app_name }, { names }) => ({
    app_name,
    sdk_key: names['sdk_key'],
  })),
  inBody('refreshSession', 'its refresh credential, with another account put in', (n, { accountId }) => ({
    token_refresh: putId(n['refresh']!, accountId, 0),
  })),
  inBody('refreshSession', 'its session put into a refresh credential of another', (n, { names }) => ({
    token_refresh: putId(names['refresh']!, n['session_id']!, 1),
  })),
  inQuery('listUsers', 'an e-mail', ({ email }) => ({ email })),
  inBody('createUser', 'an e-mail', ({ email }) => ({
    email,
    password: 'a password of ours',
    roles: ['ROLE_USER'],
  })),
  inBody('searchVideos', 'words of a title', (n) => ({ query: `"${n['video_title']}"` })),
  inBody('searchVideos', 'an id in a filter', (n) => ({
    filter: { eq: { video_id: n['second_video_id'] } },
  })),
  inBody('createSeries', 'its brand', (n) => ({ title: 'Ours', brand_id: n['second_brand_id'] })),
  at(
    'changeSeries',
    'its brand',
    (_, { names }) => ({ series_id: names['second_series_id'] }),
    (n) => ({ brand_id: n['second_brand_id'] }),
  ),
  inBody('createVideo', 'its series', (n) => ({
    title: 'Ours',
    duration: 1,
    series_id: n['second_series_id'],
  })),
  inBody('createVideo', 'its brand', (n) => ({ title: 'Ours', duration: 1, brand_id: n['second_brand_id'] })),
  at(
    'changeVideo',
    'its series',
    (_, { names }) => ({ video_id: names['second_video_id'] }),
    (n) => ({ series_id: n['second_series_id'] }),
  ),
  at(
    'setPlaylistVideos',
    'its video',
    (_, { names }) => ({ playlist_id: names['second_playlist_id'] }),
    (n) => ({ video_ids: [n['second_video_id']] }),
  ),
  inBody('createBrand', 'its id', (n) => ({ brand_id: n['second_brand_id'], name: 'Ours' })),
  inBody('scheduleProgram', 'its channel', (n, { accountName }) =>
    aProgram(n['linear_channel_id']!, `on-${accountName}`),
  ),
  inQuery('listLinearChannels', 'a title', (n) => ({ linear_channel_name: n['channel_title'] })),
  inBody('createLinearChannel', 'its video', (n) => ({
    title: 'Ours',
    rescue_slate_video_id: n['second_video_id'],
  })),
  inBody('createLinearChannel', 'its playlist', (n) => ({
    title: 'Ours',
    filler_playlist_id: n['second_playlist_id'],
  })),
  at('createProgram', 'its video', ownChannel, (n) => ({
    ...aPod(6),
    items: [{ video_id: n['second_video_id'] }],
  })),
  at('createProgram', 'its playlist', ownChannel, (n) => ({
    ...aPod(7),
    items: [{ playlist_id: n['second_playlist_id'] }, ...aPod(7).items],
  })),
  at('getProgram', 'its program in a channel of ours', programIn),
  at('replaceProgram', 'its program in a channel of ours', programIn, () => aPod(10)),
  at('putPlan', 'its playlist', ownChannel, (n) => planOf({ playlist_id: n['second_playlist_id'] })),
  at('putPlan', 'its series', ownChannel, (n) => planOf({ series_ids: [n['second_series_id']] })),
  // Each channel of a bulk call has its own result.
  inBody('rescueChannels', 'its channel', (n) => [{ linear_channel_id: n['second_linear_channel_id'] }]),
  inBody('returnChannelsToSchedule', 'its channel', (n) => [
    { linear_channel_id: n['second_linear_channel_id'] },
  ]),
  inBody('createLiveSource', 'its video', (n) => ({ ...aSource, ad_slate: n['second_video_id'] })),
  inBody('createLiveSource', 'its channel', (n) => ({
    ...aSource,
    auto_switch_channel_ids: [n['second_linear_channel_id']],
  })),
  // Lines of an output that the account does not have are not counted.
  inBody('importAudienceLines', 'its channel', ({ linear_channel_id, distributor }) => ({
    lines: [{ time_ms: Date.now() - 60_000, linear_channel_id, distributor, sid: 'x'.repeat(32) }],
  })),
  inQuery('listAudit', 'what its user did', (n) => ({ user_id: n['admin_id'] })),
  inQuery('listAudit', 'what was done to its channel', (n) => ({ subject_id: n['linear_channel_id'] })),
  inQuery('streamEvents', 'events of its channel', (n) => ({
    subject_id: n['linear_channel_id'],
    from: 'oldest',
    follow: 'false',
  })),
]

/** Bodies of operations with an id in the path, where the contract's example cannot be used. */
const bodies: Readonly<Record<string, (self: FilledAccount) => unknown>> = {
  setPlaylistVideos: () => ({ video_ids: [] }),
  createProgram: () => aPod(5),
  replaceProgram: () => aPod(9),
  putPlan: () => ({ time_zone: 'UTC' }),
  previewPlan: () => ({}),
  overrideChannels: ({ names }) => [{ linear_channel_id: names['second_linear_channel_id'] }],
}

const IN_PATH = 'its id in the path'

/** In this order the account itself can send them all: what deletes a record comes last. */
const inPath: readonly Try[] = operationList
  .filter((e) => pathParameters(e).length > 0)
  .toSorted(
    (a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE') || b.path.length - a.path.length,
  )
  .map((e) => ({
    e,
    what: IN_PATH,
    parts: (names, self) => ({
      params: Object.fromEntries(pathParameters(e).map((name) => [name, nameOf(names, name)])),
      body: bodies[e.id]?.(self) ?? e.example.body,
    }),
  }))

/** A new kind of record is to be made in filled-account.ts. */
function nameOf(names: Names, parameter: string): string {
  const name = names[parameter]
  if (name === undefined) throw new Error(`the filled account has no ${parameter}`)
  return name
}

const everyTry: readonly Try[] = [
  ...inQueryAndBody,
  ...pagedLists.map(
    (e): Try => ({
      e,
      what: 'a cursor of its pages',
      parts: (names) => ({
        query: { page_offset: names[markOf(e.id)]! },
        body: e.body === undefined ? undefined : {},
      }),
    }),
  ),
  ...inPath,
]

const requestOf = ({ e, parts }: Try, names: Names, self: FilledAccount): RawRequest =>
  // Operations without a credential ignore it.
  requestTo(e, { ...parts(names, self), headers: self.session.headers })

/**
 * One account requests records of the other, with every operation. It gets the answer for unused names, to the byte,
 * which is a 404 for ids in the path; no row of the other account changes; and no answer contains an id or a text of it
 * that was not sent. Then the other account sends the same requests: its answers differ, so every name was right, and a
 * leak or a changed row would have been found.
 */
export async function checkOtherAccount({ api, sql, one, other }: World) {
  const faults: string[] = []
  const traces = await tracesOf(sql, other)
  const before = await rowsOf(sql, traces, one)
  const send = async (name: string, request: RawRequest): Promise<RawAnswer> => {
    const answer = await api.send(request)
    const leaks = findLeaks(traces, request, answer)
    if (leaks.length > 0) faults.push(`${name}: the answer contains ${leaks.join(' ')}`)
    return answer
  }

  // First, before this account creates records with the names of the other.
  for (const { name, request } of everyWay) {
    const own = request(one.session.headers)
    if (own.method === 'GET') await send(`${name}, its own records`, own)
  }
  const unused = unusedNames(other.names)
  const rejected: string[] = []
  for (const tried of everyTry) {
    const name = `${tried.e.id}, ${tried.what}`
    const answer = await send(name, requestOf(tried, other.names, one))
    const unknown = await send(`${name}, unused`, requestOf(tried, unused, one))
    const shown = withoutNames(answer, other.names)
    rejected.push(shown)
    if (shown !== withoutNames(unknown, unused)) {
      faults.push(`${name}: ${shown}\n  but for an unused one: ${withoutNames(unknown, unused)}`)
    }
    if (tried.what === IN_PATH && answer.status !== 404) faults.push(`${name}: ${describeAnswer(answer)}`)
  }
  faults.push(...changedRows(before, await rowsOf(sql, traces, one)))

  let textsSeen = 0
  for (const [at, own] of everyTry.entries()) {
    const request = requestOf(own, other.names, other)
    const answer = await api.send(request)
    textsSeen += findLeaks(traces, request, answer).length
    if (withoutNames(answer, other.names) === rejected[at] || answer.status === 404) {
      faults.push(`${own.e.id}, ${own.what}: the account itself gets the same, ${describeAnswer(answer)}`)
    }
  }
  const rowsChanged = changedRows(before, await rowsOf(sql, traces, one)).length
  return { faults, textsSeen, rowsChanged }
}

/** Texts that were sent may come back. */
function findLeaks({ ids, texts }: Traces, { path, body }: RawRequest, answer: RawAnswer): string[] {
  const sent = `${decodeURIComponent(path)} ${body ?? ''}`
  const got = `${JSON.stringify(answer.headers)} ${answer.body}`
  return [...ids, ...texts].filter((trace) => got.includes(trace) && !sent.includes(trace))
}

/** An answer without the names that were sent, and without ids and times. */
function withoutNames({ status, headers, body }: RawAnswer, names: Names): string {
  const { date: _, 'x-request-id': __, 'content-length': ___, ...shown } = headers
  let text = `${status} ${JSON.stringify(shown)} ${body}`
  // The longest first, because one may be a part of another.
  const values = Object.entries(names).toSorted(([, a], [, b]) => b.length - a.length)
  for (const [name, value] of values) {
    text = text.replaceAll(value, `<${name}>`).replaceAll(encodeURIComponent(value), `<${name}>`)
  }
  return text
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
    .replaceAll(/sdk_[\w-]+/g, '<key>')
}

const ID_BYTES = 16

/** Credentials begin, behind their prefix, with the id of their account; in a refresh credential the session is next. */
function putId(credential: string, id: string, at: number): string {
  const start = credential.indexOf('_') + 1
  const bytes = Buffer.from(credential.slice(start), 'base64url')
  Buffer.from(id.replaceAll('-', ''), 'hex').copy(bytes, at * ID_BYTES)
  return credential.slice(0, start) + bytes.toString('base64url')
}

/** Texts that belong to one account only. In an answer to another account, each is a leak. */
interface Traces {
  readonly ids: readonly string[]
  /** E-mails, titles and all other texts that contain the account's name. */
  readonly texts: readonly string[]
}

async function tracesOf(sql: Sql, { accountId, accountName }: FilledAccount): Promise<Traces> {
  const rows = (await everyRow(sql)).filter((row) => row.includes(accountId) || row.includes(accountName))
  const texts = [...new Set(rows.flatMap((row) => textsIn(JSON.parse(row.slice(row.indexOf('{'))))))]
  return {
    ids: texts.filter((text) => UUID.test(text)),
    texts: texts.filter((text) => text.includes(accountName)),
  }
}

/**
 * Every row, of every table, that contains an id or a text of the account. The other account may use the same texts in
 * rows of its own, but never an id.
 */
async function rowsOf(sql: Sql, { ids, texts }: Traces, other: FilledAccount): Promise<ReadonlySet<string>> {
  const containsOne = (row: string, traces: readonly string[]) => traces.some((trace) => row.includes(trace))
  const rows = (await everyRow(sql)).filter(
    (row) => containsOne(row, ids) || (containsOne(row, texts) && !row.includes(other.accountId)),
  )
  return new Set(rows)
}

/** Every row that names the account as its own. */
export const ownRowsOf = async (sql: Sql, { accountId }: FilledAccount): Promise<string[]> =>
  (await everyRow(sql)).filter((row) => row.includes(`"account_id": "${accountId}"`))

const changedRows = (before: ReadonlySet<string>, after: ReadonlySet<string>): string[] => [
  ...[...before.difference(after)].map((row) => `deleted: ${row}`),
  ...[...after.difference(before)].map((row) => `new: ${row}`),
]

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : []
}

/** All rows as text, under the name of their table. */
async function everyRow(sql: Sql): Promise<string[]> {
  const tables = await sql.query<{ name: string; table: string }>(
    `select tablename as name, format('%I.%I', schemaname, tablename) as table from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema') order by 1, 2`,
  )
  const found: string[] = []
  for (const { name, table } of tables) {
    const rows = await sql.query<{ row: string }>(
      `select to_jsonb(t)::text as row from ${table} t order by 1`,
    )
    found.push(...rows.map(({ row }) => `${name} ${row}`))
  }
  return found
}
