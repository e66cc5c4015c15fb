import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { LIVE_SOURCES_MAXIMUM } from '@continuity/core/live/source-fields'
import { sql } from 'kysely'
import { NOW_MS } from '../../http/testing/credentials.ts'
import { assertProblem } from '../../http/testing/wire.ts'
import { addAccounts } from '../../platform/testing/an-account.ts'
import { aVideoRow } from '../catalog/testing/a-video-row.ts'
import { assertEvents } from '../events/testing/assert-events.ts'
import { isAdSlate } from './index.ts'
import { aDraft, addressOf, aLiveApi, aSource, SOURCES } from './testing/a-live-api.ts'
import type { WireSource, WireSourceDetail } from './wire.ts'

const { api, admin, otherAdmin, accountId, db, database, ownerUrl } = await aLiveApi()
const nowText = new Date(NOW_MS).toISOString()

interface Page {
  readonly hits: readonly WireSource[]
  readonly page: { readonly page_mark: string | null; readonly page_offset: string }
  readonly total: number
}

test('a new source is IDLE, with defaults for absent fields', async () => {
  const answer = await admin.post<WireSourceDetail>(SOURCES, aDraft)

  assert.equal(answer.statusCode, 201, answer.body)
  const { live_source_id, created_user_id, last_modified_user_id, ...rest } = answer.json()
  assert.match(live_source_id, /^[0-9a-f-]{36}$/)
  assert.match(created_user_id, /^[0-9a-f-]{36}$/)
  assert.equal(last_modified_user_id, created_user_id)
  assert.deepEqual(rest, {
    name: 'Harbour camera',
    description: '',
    status: 'IDLE',
    status_detail: null,
    type: 'HLS_PULL',
    metadata: { type: 'HLS_PULL', input_url: aDraft.metadata.input_url, scte_35_source: '' },
    feature: {
      always_keep_receiver_active: false,
      enable_redundancy: false,
      redundancy_source: '',
      enable_audio_normalization: false,
      audio_algorithm: '',
      enable_auto_live_switch_on_signal: false,
    },
    preview: null,
    ad_slate: '',
    enable_relative_start_for_countdown: false,
    auto_switch_channel_ids: [],
    account_id: accountId,
    created_date: nowText,
    last_updated: nowText,
    images: [],
  })
})

test('all fields are stored and returned', async () => {
  const videoId = await aVideo()
  const channel = await admin.post<{ linear_channel_id: string }>('/api/2.3/linear_channels', {
    title: 'One',
  })
  const { linear_channel_id } = channel.json()
  const image = {
    width: 640,
    height: 360,
    image_type: 'POSTER',
    original_image_url: 'https://a.example/p.jpg',
  }
  const draft = {
    ...aDraft,
    description: 'The pier.',
    metadata: { ...aDraft.metadata, scte_35_source: 'MANIFEST' },
    feature: {
      always_keep_receiver_active: true,
      enable_redundancy: true,
      redundancy_source: 'https://live.example/other.m3u8',
      enable_audio_normalization: true,
      audio_algorithm: 'ATSC_A85',
      enable_auto_live_switch_on_signal: true,
    },
    ad_slate: videoId,
    enable_relative_start_for_countdown: true,
    auto_switch_channel_ids: [linear_channel_id, linear_channel_id],
    images: [image],
  }

  const made = await aSource(admin, draft)
  const read = await admin.get<WireSourceDetail>(addressOf(made))

  assert.deepEqual(read.json(), made)
  assert.equal(read.headers['etag'], '"1"')
  assert.deepEqual(made.metadata, { type: 'HLS_PULL', ...draft.metadata })
  assert.deepEqual(made.feature, draft.feature)
  assert.equal(made.ad_slate, videoId)
  assert.equal(made.enable_relative_start_for_countdown, true)
  assert.deepEqual(made.auto_switch_channel_ids, [linear_channel_id])
  assert.deepEqual(made.images, [{ ...image, image_url: image.original_image_url }])
})

test('a PATCH changes only the fields it contains, also inside metadata and feature', async () => {
  const source = await aSource(admin, { feature: { enable_redundancy: true } })
  api.nowMs += 1_000

  const answer = await admin.patch<WireSourceDetail>(addressOf(source), {
    name: 'Pier camera',
    metadata: { scte_35_source: 'API' },
    feature: { audio_algorithm: 'EBU_R128' },
  })

  assert.equal(answer.statusCode, 200, answer.body)
  assert.equal(answer.headers['etag'], '"2"')
  const expected = {
    ...source,
    name: 'Pier camera',
    metadata: { ...source.metadata, scte_35_source: 'API' },
    feature: { ...source.feature, audio_algorithm: 'EBU_R128' },
    last_updated: new Date(api.nowMs).toISOString(),
  }
  assert.deepEqual(answer.json(), expected)
  assert.deepEqual((await admin.get(addressOf(source))).json(), expected)
})

test('a PATCH with the same values changes neither version nor audit records', async () => {
  const source = await aSource(admin, { images: [] })
  const { name, feature, auto_switch_channel_ids, images } = source

  const answer = await admin.patch(addressOf(source), { name, feature, auto_switch_channel_ids, images })

  assert.equal(answer.headers['etag'], '"1"')
  assert.deepEqual(await auditOf(source), ['live_source.create'])
})

test('a stale If-Match is rejected, and nothing changes', async () => {
  const source = await aSource(admin)
  await admin.patch(addressOf(source), { name: 'Two' }, { 'if-match': '"1"' })

  const change = await admin.patch(addressOf(source), { name: 'Three' }, { 'if-match': '"1"' })
  const removal = await admin.delete(addressOf(source), { 'if-match': '"1"' })

  assertProblem(change, 412, 'record.changed')
  assertProblem(removal, 412, 'record.changed')
  assert.equal((await admin.get<WireSource>(addressOf(source))).json().name, 'Two')
})

test('every write is audited and recorded as an event', async () => {
  const source = await aSource(admin)
  api.nowMs += 1
  await admin.patch(addressOf(source), { name: 'Two' })
  api.nowMs += 1
  await admin.delete(addressOf(source))

  assert.deepEqual(await auditOf(source), ['live_source.create', 'live_source.change', 'live_source.delete'])
  const { rows } = await sql<{ kind: string; data: { name: string; status: string } }>`
    select kind, data from events where subject_id = ${source.live_source_id} order by number`.execute(db)
  assert.deepEqual(
    rows.map(({ kind, data }) => [kind, data.name, data.status]),
    [
      ['live_source.created', 'Harbour camera', 'IDLE'],
      ['live_source.changed', 'Two', 'IDLE'],
      ['live_source.deleted', 'Two', 'IDLE'],
    ],
  )
  await assertEvents(db, ['live_source.created', 'live_source.changed', 'live_source.deleted'])
})

test('a deleted source is not found, nor listed', async () => {
  const source = await aSource(admin)
  const before = (await admin.get<Page>(SOURCES)).json().total

  assert.equal((await admin.delete(addressOf(source))).statusCode, 204)

  assertProblem(await admin.get(addressOf(source)), 404, 'live_source.not_found')
  assertProblem(await admin.patch(addressOf(source), { name: 'x' }), 404, 'live_source.not_found')
  assertProblem(await admin.delete(addressOf(source)), 404, 'live_source.not_found')
  const after = (await admin.get<Page>(SOURCES)).json()
  assert.equal(after.total, before - 1)
  assert.ok(!after.hits.some(({ live_source_id }) => live_source_id === source.live_source_id))
})

for (const [state, status] of [
  ['ACTIVATING', 'PROCESSING'],
  ['ACTIVE', 'ACTIVE'],
  ['DEACTIVATING', 'PROCESSING'],
] as const) {
  test(`a source that is ${state} is shown as ${status} and cannot be deleted`, async () => {
    const source = await aSource(admin)
    await setState(source, state)

    const answer = await admin.delete(addressOf(source))

    const { detail } = assertProblem(answer, 409, 'live_source.in_use')
    assert.match(detail, new RegExp(status))
    assert.equal((await admin.get<WireSource>(addressOf(source))).json().status, status)
  })
}

test('a source in ERROR shows the reason, and can be deleted', async () => {
  const source = await aSource(admin)
  await setState(source, 'ERROR')
  await sql`update live_sources set detail_code = 'source.unreachable', detail_message = 'Gone.', detail_ms = 5
             where live_source_id = ${source.live_source_id}`.execute(db)

  const { status_detail } = (await admin.get<WireSource>(addressOf(source))).json()

  const at = '1970-01-01T00:00:00.005Z'
  assert.deepEqual(status_detail, { code: 'source.unreachable', message: 'Gone.', at })
  assert.equal((await admin.delete(addressOf(source))).statusCode, 204)
})

test('the list has the newest first, without images, in pages by offset, with the total', async () => {
  const user = await aNewAdmin()
  const names = ['one', 'two', 'three', 'four', 'five']
  for (const name of names) {
    api.nowMs += 1
    await aSource(user, { name })
  }

  const first = (await user.get<Page>(`${SOURCES}?page_size=2`)).json()
  const second = (
    await user.get<Page>(`${SOURCES}/list?page_size=2&page_offset=${first.page.page_mark}`)
  ).json()
  const last = (await user.get<Page>(`${SOURCES}?page_size=2&page_offset=4`)).json()
  const beyond = (await user.get<Page>(`${SOURCES}?page_size=2&page_offset=99`)).json()

  assert.deepEqual(first.hits.map(nameOf), ['five', 'four'])
  assert.ok(!('images' in first.hits[0]!))
  assert.deepEqual(first.page, { page_id: null, page_size: '2', page_mark: '2', page_offset: '0' })
  assert.deepEqual(second.hits.map(nameOf), ['three', 'two'])
  assert.equal(second.page.page_mark, '4')
  assert.deepEqual(last.hits.map(nameOf), ['one'])
  assert.equal(last.page.page_mark, null)
  assert.deepEqual([beyond.hits.length, beyond.page.page_mark, beyond.total], [0, null, 5])
})

test('the list is filtered by type and by status; PROCESSING matches two states', async () => {
  const user = await aNewAdmin()
  for (const state of ['IDLE', 'ACTIVATING', 'ACTIVE', 'DEACTIVATING', 'ERROR']) {
    await setState(await aSource(user, { name: state }), state)
  }
  const listed = async (query: string) => {
    const page = (await user.get<Page>(`${SOURCES}?${query}`)).json()
    assert.equal(page.total, page.hits.length)
    return page.hits.map(nameOf).toSorted()
  }

  assert.deepEqual(await listed('status=PROCESSING'), ['ACTIVATING', 'DEACTIVATING'])
  assert.deepEqual(await listed('status=ACTIVE&source_type=HLS_PULL'), ['ACTIVE'])
  assert.deepEqual(await listed('status=IDLE'), ['IDLE'])
  assert.deepEqual(await listed('status=ERROR'), ['ERROR'])
  assert.equal((await listed('status=ALL&source_type=ALL')).length, 5)
  for (const query of [
    'status=ON_AIR',
    'source_type=SRT_PUSH',
    'page_size=0',
    'page_size=51',
    'page_offset=-1',
  ]) {
    assertProblem(await user.get(`${SOURCES}?${query}`), 400, 'request.invalid')
  }
})

test('a planned type is rejected as not built, any other as invalid', async () => {
  assertProblem(await admin.post(SOURCES, { ...aDraft, type: 'SRT_PUSH' }), 422, 'live_source.type_not_built')
  assertProblem(await admin.post(SOURCES, { ...aDraft, type: 'CARRIER_PIGEON' }), 400, 'request.invalid')
  const metadata = { ...aDraft.metadata, type: 'RTMP_PUSH' }
  assertProblem(await admin.post(SOURCES, { ...aDraft, metadata }), 422, 'live_source.type_mismatch')
  const source = await aSource(admin)
  assertProblem(
    await admin.patch(addressOf(source), { type: 'RTMP_PUSH' }),
    422,
    'live_source.type_not_built',
  )
})

test('an unknown video or channel is rejected with a pointer to its field', async () => {
  const video = assertProblem(
    await admin.post(SOURCES, { ...aDraft, ad_slate: randomUUID() }),
    422,
    'video.unknown',
  )
  const channel = assertProblem(
    await admin.post(SOURCES, { ...aDraft, auto_switch_channel_ids: ['none'] }),
    422,
    'channel.unknown',
  )

  assert.equal(video.errors?.[0]?.pointer, '/ad_slate')
  assert.equal(channel.errors?.[0]?.pointer, '/auto_switch_channel_ids/0')
})

test('a video is an ad slate while a source refers to it', async () => {
  const videoId = await aVideo()
  const source = await aSource(admin, { ad_slate: videoId })

  assert.equal(await isAdSlate(db, accountId, videoId), true)
  assert.equal(await isAdSlate(db, accountId, randomUUID()), false)
  await admin.patch(addressOf(source), { ad_slate: '' })
  assert.equal(await isAdSlate(db, accountId, videoId), false)
  await admin.patch(addressOf(source), { ad_slate: videoId })
  await admin.delete(addressOf(source))
  assert.equal(await isAdSlate(db, accountId, videoId), false)
})

test('a change increments the generation, and a no-op does not', async () => {
  const source = await aSource(admin)
  await admin.patch(addressOf(source), { name: source.name })
  assert.equal(await generationOf(source), 1)

  await admin.patch(addressOf(source), { metadata: { input_url: 'https://live.example/b.m3u8' } })
  assert.equal(await generationOf(source), 2)
  await admin.delete(addressOf(source))
  assert.equal(await generationOf(source), 3)
})

test('an account has a limited number of sources, deleted ones not counted', async () => {
  const user = await aNewAdmin()
  const source = await aSource(user)
  await sql`
    insert into live_sources
      select s.account_id, gen_random_uuid(), 'copy', s.description, s.type, s.input_url, s.scte_35_source,
             false, false, '', false, '', false, '{}', null, false, '[]', 'IDLE', null, null, null, 1, 1, 1, '', 1, '', null
        from live_sources s, generate_series(2, ${LIVE_SOURCES_MAXIMUM}::integer)
       where s.live_source_id = ${source.live_source_id}`.execute(user.ownDb)

  assertProblem(await user.post(SOURCES, aDraft), 422, 'live_source.too_many')
  await user.delete(addressOf(source))
  assert.equal((await user.post(SOURCES, aDraft)).statusCode, 201)
})

test('sources of another account are not found', async () => {
  const source = await aSource(admin)

  assertProblem(await otherAdmin.get(addressOf(source)), 404, 'live_source.not_found')
  assertProblem(await otherAdmin.patch(addressOf(source), { name: 'x' }), 404, 'live_source.not_found')
  assertProblem(await otherAdmin.delete(addressOf(source)), 404, 'live_source.not_found')
  assert.equal((await otherAdmin.get<Page>(SOURCES)).json().total, 0)
})

const nameOf = ({ name }: WireSource) => name

async function aNewAdmin() {
  const id = randomUUID()
  await addAccounts(ownerUrl, { [`account-${id}`]: id })
  return Object.assign(api.userOf(id), { ownDb: database.forAccount(id) })
}

const aVideo = (): Promise<string> => aVideoRow(db, accountId)

async function setState(source: WireSource, state: string): Promise<void> {
  const own = database.forAccount(source.account_id)
  await sql`update live_sources set state = ${state}
             where account_id = ${source.account_id} and live_source_id = ${source.live_source_id}`.execute(
    own,
  )
}

async function generationOf(source: WireSource): Promise<number> {
  const { rows } = await sql<{ generation: number }>`
    select generation from live_sources
     where account_id = ${accountId} and live_source_id = ${source.live_source_id}`.execute(db)
  return rows[0]!.generation
}

async function auditOf(source: WireSource): Promise<string[]> {
  const { rows } = await sql<{ action: string }>`
    select action from audit_entries where subject_id = ${source.live_source_id} order by audit_id`.execute(
    db,
  )
  return rows.map(({ action }) => action)
}
