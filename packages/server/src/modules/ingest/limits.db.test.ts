import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '@continuity/contract'
import {
  anIngestApi,
  aProgram,
  aVideo,
  type IngestAccount,
  START_MS,
  type WireRequest,
} from './testing/an-ingest-api.ts'

const { anAccount, submit, statusOf, process } = await anIngestApi()

interface Schema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly format?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly maxItems?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
}

type End = 'least' | 'most'

/** The smallest or the largest value that a schema accepts. */
function boundOf(schema: Schema, end: End): unknown {
  if (schema.const !== undefined) return schema.const
  if (schema.format === 'date-time')
    return end === 'least' ? '0001-01-01T00:00:00Z' : '9999-12-31T23:59:59.999Z'
  if (schema.format === 'uri')
    return `https://partner.example/${'x'.repeat(end === 'least' ? 1 : schema.maxLength! - 24)}`
  if (schema.type === 'string')
    return '漢'.repeat(end === 'least' ? (schema.minLength ?? 0) : schema.maxLength!)
  if (schema.type === 'integer') return end === 'least' ? schema.minimum : schema.maximum
  if (schema.type === 'array')
    return Array.from({ length: end === 'least' ? 0 : schema.maxItems! }, () => boundOf(schema.items!, end))
  assert.equal(schema.type, 'object')
  return Object.fromEntries(
    Object.entries(schema.properties!).map(([name, inside]) => [name, boundOf(inside, end)]),
  )
}

function itemOf(end: End): WireRequest['videos'][number] {
  const items = operations.scheduleProgram.body.properties.videos.items as unknown as {
    oneOf: readonly Schema[]
  }
  const video = items.oneOf.find(({ properties }) => properties?.['type']?.const === 'VIDEO')
  return boundOf(video!, end) as WireRequest['videos'][number]
}

/** Submits a video and reads it back in every way; each response is checked against the contract. */
async function readBack(account: IngestAccount, changes: Partial<WireRequest>) {
  const requestId = await submit(account, aProgram(account.channelId, changes))
  await process(account, requestId)
  const { items } = await statusOf(account, requestId)
  const one = await account.admin.get<{ keywords: string[] }>(`/api/2.1/videos/${items[0]!.video_id}`)
  const list = await account.admin.get<{ hits: { keywords: string[] }[] }>('/api/2.1/videos')
  const found = await account.admin.post('/api/2.1/search/videos', { query: '' })
  for (const answer of [one, list, found]) assert.equal(answer.statusCode, 200, answer.body.slice(0, 1_000))
  assert.deepEqual(list.json().hits[0]?.keywords, one.json().keywords)
  return one.json()
}

for (const end of ['least', 'most'] as const) {
  test(`a video whose fields are all as ${end === 'least' ? 'short' : 'long'} as accepted can be read`, async () => {
    const account = await anAccount()
    const text = end === 'least' ? 'x' : 'x'.repeat(255)

    const names = { source_id: text, brand_id: text, program_title: text }
    const schedule = { start_time: new Date(START_MS).toISOString(), duration_ms: 604_800_000 }
    await readBack(account, { ...names, schedule, videos: [itemOf(end)] })
  })
}

for (const count of [100, 101, 200, 201]) {
  test(`of ${count} keywords at most 200 are stored and returned`, async () => {
    const account = await anAccount()
    const words = Array.from({ length: count }, (_, i) => `word ${i}`)

    const { keywords } = await readBack(account, { videos: [aVideo('K', { keywords: words.join(',') })] })

    assert.deepEqual(keywords, words.slice(0, 200))
    const copy = { title: 'Copy', duration: 1, keywords }
    assert.equal((await account.admin.post('/api/2.1/videos', copy)).statusCode, 201)
  })
}

test('a keyword that is too long is truncated to the maximum length, at a whole character', async () => {
  const account = await anAccount()
  const words = [`${'x'.repeat(254)}😀😀`, 'y'.repeat(255), '😀'.repeat(256)]

  const { keywords } = await readBack(account, { videos: [aVideo('K', { keywords: words.join(',') })] })

  assert.deepEqual(keywords, [`${'x'.repeat(254)}😀`, words[1], '😀'.repeat(255)])
})
