import { type Endpoint, type OperationId, operationList, operations } from '@continuity/contract'
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
} from './filled-account.ts'
import { changedRows, rowsOf, type Traces, tracesOf } from './rows.ts'
import type { World } from './world.ts'

/** An attempt to reach records of another account, whose names are sent by `self`. */
interface Try {
  readonly e: Endpoint
  readonly what: string
  parts(names: Names, self: FilledAccount): RequestParts
}

type Parts = (names: Names, self: FilledAccount) => RequestParts

/**
 * Ids in the path and cursors of lists are tried with every operation that has them. What a query or a body can name is
 * listed here by hand.
 */
const inQueryAndBody: readonly (readonly [id: OperationId, what: string, parts: Parts])[] = [
  [
    'login',
    'its e-mail and password',
    ({ email, password }, { accountName: account_name }) => ({ body: { account_name, email, password } }),
  ],
  [
    'registerDevice',
    'its SDK key, with another account put in',
    ({ app_name, sdk_key }, { accountId }) => ({
      body: { app_name, sdk_key: putId(sdk_key!, accountId, 0) },
    }),
  ],
  [
    'registerDevice',
    'its name of an app, with an SDK key of another',
    ({ app_name }, { names }) => ({ body: { app_name, sdk_key: names['sdk_key'] } }),
  ],
  [
    'refreshSession',
    'its refresh credential, with another account put in',
    ({ refresh }, { accountId }) => ({ body: { token_refresh: putId(refresh!, accountId, 0) } }),
  ],
  [
    'refreshSession',
    'its session put into a refresh credential of another',
    ({ session_id }, { names }) => ({ body: { token_refresh: putId(names['refresh']!, session_id!, 1) } }),
  ],
  ['listUsers', 'an e-mail', ({ email }) => ({ query: { email: email! } })],
  [
    'createUser',
    'an e-mail',
    ({ email }) => ({ body: { email, password: 'a password of ours', roles: ['ROLE_USER'] } }),
  ],
  ['searchVideos', 'words of a title', ({ video_title }) => ({ body: { query: `"${video_title}"` } })],
  [
    'searchVideos',
    'an id in a filter',
    ({ second_video_id: video_id }) => ({ body: { filter: { eq: { video_id } } } }),
  ],
  ['createSeries', 'its brand', ({ second_brand_id: brand_id }) => ({ body: { title: 'Ours', brand_id } })],
  [
    'changeSeries',
    'its brand',
    ({ second_brand_id: brand_id }, { names }) => ({
      params: { series_id: names['second_series_id']! },
      body: { brand_id },
    }),
  ],
  [
    'createVideo',
    'its series',
    ({ second_series_id: series_id }) => ({ body: { title: 'Ours', duration: 1, series_id } }),
  ],
  [
    'createVideo',
    'its brand',
    ({ second_brand_id: brand_id }) => ({ body: { title: 'Ours', duration: 1, brand_id } }),
  ],
  [
    'changeVideo',
    'its series',
    ({ second_series_id: series_id }, { names }) => ({
      params: { video_id: names['second_video_id']! },
      body: { series_id },
    }),
  ],
  [
    'setPlaylistVideos',
    'its video',
    ({ second_video_id }, { names }) => ({
      params: { playlist_id: names['second_playlist_id']! },
      body: { video_ids: [second_video_id] },
    }),
  ],
  ['createBrand', 'its id', ({ second_brand_id: brand_id }) => ({ body: { brand_id, name: 'Ours' } })],
  [
    'scheduleProgram',
    'its channel',
    ({ linear_channel_id }, { accountName }) => ({ body: aProgram(linear_channel_id!, `on-${accountName}`) }),
  ],
  [
    'listLinearChannels',
    'a title',
    ({ channel_title }) => ({ query: { linear_channel_name: channel_title! } }),
  ],
  [
    'createLinearChannel',
    'its video',
    ({ second_video_id }) => ({ body: { title: 'Ours', rescue_slate_video_id: second_video_id } }),
  ],
  [
    'createLinearChannel',
    'its playlist',
    ({ second_playlist_id }) => ({ body: { title: 'Ours', filler_playlist_id: second_playlist_id } }),
  ],
  [
    'createProgram',
    'its video',
    ({ second_video_id: video_id }, self) => ({
      ...secondChannel(self),
      body: { ...aPod(6), items: [{ video_id }] },
    }),
  ],
  [
    'createProgram',
    'its playlist',
    ({ second_playlist_id: playlist_id }, self) => ({
      ...secondChannel(self),
      body: { ...aPod(7), items: [{ playlist_id }, ...aPod(7).items] },
    }),
  ],
  [
    'getProgram',
    'its program in a channel of ours',
    ({ program_id }, { names }) => ({
      params: { linear_channel_id: names['linear_channel_id']!, program_id: program_id! },
    }),
  ],
  [
    'replaceProgram',
    'its program in a channel of ours',
    ({ program_id }, { names }) => ({
      params: { linear_channel_id: names['linear_channel_id']!, program_id: program_id! },
      body: aPod(10),
    }),
  ],
  [
    'putPlan',
    'its playlist',
    ({ second_playlist_id: playlist_id }, self) => ({
      ...secondChannel(self),
      body: { time_zone: 'UTC', default: { content: { playlist_id }, order: 'SHUFFLE' } },
    }),
  ],
  [
    'putPlan',
    'its series',
    ({ second_series_id }, self) => ({
      ...secondChannel(self),
      body: { time_zone: 'UTC', default: { content: { series_ids: [second_series_id] }, order: 'SHUFFLE' } },
    }),
  ],
  // Each channel of a bulk call has its own result.
  ['rescueChannels', 'its channel', ({ second_linear_channel_id }) => bulkOf(second_linear_channel_id!)],
  [
    'returnChannelsToSchedule',
    'its channel',
    ({ second_linear_channel_id }) => bulkOf(second_linear_channel_id!),
  ],
  [
    'createLiveSource',
    'its video',
    ({ second_video_id }) => ({ body: { ...aSource, ad_slate: second_video_id } }),
  ],
  [
    'createLiveSource',
    'its channel',
    ({ second_linear_channel_id: id }) => ({ body: { ...aSource, auto_switch_channel_ids: [id] } }),
  ],
  // Lines of an output that the account does not have are not counted.
  [
    'importAudienceLines',
    'its channel',
    ({ linear_channel_id, distributor }) => ({
      body: {
        lines: [{ time_ms: Date.now() - 60_000, linear_channel_id, distributor, sid: 'x'.repeat(32) }],
      },
    }),
  ],
  ['listAudit', 'what its user did', ({ admin_id }) => ({ query: { user_id: admin_id! } })],
  [
    'listAudit',
    'what was done to its channel',
    ({ linear_channel_id }) => ({ query: { subject_id: linear_channel_id! } }),
  ],
  [
    'streamEvents',
    'events of its channel',
    ({ linear_channel_id }) => ({
      query: { subject_id: linear_channel_id!, from: 'oldest', follow: 'false' },
    }),
  ],
]

const secondChannel = ({ names }: FilledAccount) => ({
  params: { linear_channel_id: names['second_linear_channel_id']! },
})
const bulkOf = (linear_channel_id: string) => ({ body: [{ linear_channel_id }] })
const aSource = { name: 'Ours', type: 'HLS_PULL', metadata: { input_url: 'https://live.example/ours.m3u8' } }

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
  ...inQueryAndBody.map(([id, what, parts]): Try => ({ e: operations[id], what, parts })),
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
