import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { NOW_MS } from '../../http/testing/credentials.ts'
import { assertProblem } from '../../http/testing/wire.ts'
import type { Db } from '../../platform/database/database.ts'
import { aVideoRow } from '../catalog/testing/a-video-row.ts'
import { assertEvents } from '../events/testing/assert-events.ts'
import { aChannel, aChannelApi, addressOf, CHANNELS } from './testing/a-channel-api.ts'
import type { WireChannel, WireOutput } from './wire.ts'

const { api, admin, otherAdmin, accountId, otherId, db, otherDb } = await aChannelApi()
const nowText = new Date(NOW_MS).toISOString()

test('a new channel is OFFLINE, with defaults for absent fields', async () => {
  const answer = await admin.post<WireChannel>(CHANNELS, { title: 'North One' })

  assert.equal(answer.statusCode, 201, answer.body)
  const { linear_channel_id, ...rest } = answer.json()
  assert.match(linear_channel_id, /^[0-9a-f-]{36}$/)
  assert.deepEqual(rest, {
    title: 'North One',
    description: '',
    internal_title: 'North One',
    status: 'OFFLINE',
    linear_channel_override_status: 'NOT_STARTED',
    rescue_slate_video_id: null,
    time_fill_video_id: null,
    ad_slate_video_id: null,
    filler_playlist_id: null,
    filler_title: null,
    created_date: nowText,
    last_updated: nowText,
  })
})

test('a channel can have a title for filler time, of 200 characters at most', async () => {
  const channel = await aChannel(admin)
  const longest = 'x'.repeat(200)

  const changed = await admin.patch<WireChannel>(addressOf(channel), { filler_title: longest })
  const removed = await admin.patch<WireChannel>(addressOf(channel), { filler_title: null })

  assert.equal(changed.json().filler_title, longest)
  assert.equal(removed.json().filler_title, null)
  for (const filler_title of ['', `${longest}x`, 7])
    assert.equal((await admin.patch(addressOf(channel), { filler_title })).statusCode, 400)
})

test('a new channel has the output `direct`', async () => {
  const channel = await aChannel(admin)

  const outputs = await admin.get<WireOutput[]>(`${addressOf(channel)}/outputs`)

  const direct = { distributor: 'direct', key: null, window_ms: 32_000, markers: 'BOTH' }
  assert.deepEqual(outputs.json(), [
    { ...direct, break_policy: 'ACTUAL', audience_source: 'NODES', delay_ms: 0 },
  ])
})

test('a channel can be read, and If-None-Match with its entity tag returns 304', async () => {
  const channel = await aChannel(admin, { description: 'Drama.', internal_title: 'n1' })

  const read = await admin.get(addressOf(channel))
  const again = await admin.get(addressOf(channel), { 'if-none-match': '"1"' })

  assert.deepEqual(read.json(), channel)
  assert.equal(read.headers['etag'], '"1"')
  assert.equal(again.statusCode, 304)
})

test('a PATCH changes only the fields it contains', async () => {
  const channel = await aChannel(admin, { description: 'Drama.', internal_title: 'n1' })
  api.nowMs += 1_000

  const answer = await admin.patch<WireChannel>(addressOf(channel), { title: 'South Two' })

  assert.equal(answer.statusCode, 200, answer.body)
  assert.equal(answer.headers['etag'], '"2"')
  const expected = { ...channel, title: 'South Two', last_updated: new Date(api.nowMs).toISOString() }
  assert.deepEqual(answer.json(), expected)
  assert.deepEqual((await admin.get(addressOf(channel))).json(), expected)
})

test('a PATCH with the same values changes neither version nor audit records', async () => {
  const channel = await aChannel(admin)
  api.nowMs += 1_000

  const answer = await admin.patch(addressOf(channel), { title: channel.title, rescue_slate_video_id: null })

  assert.equal(answer.headers['etag'], '"1"')
  assert.deepEqual(answer.json(), channel)
  assert.deepEqual(await auditOf(channel), ['channel.create', 'output.create'])
})

test('a stale If-Match is rejected, and nothing changes', async () => {
  const channel = await aChannel(admin)
  await admin.patch(addressOf(channel), { title: 'South Two' }, { 'if-match': '"1"' })

  const change = await admin.patch(addressOf(channel), { title: 'East Three' }, { 'if-match': '"1"' })
  const removal = await admin.delete(addressOf(channel), { 'if-match': '"1"' })

  assertProblem(change, 412, 'record.changed')
  assertProblem(removal, 412, 'record.changed')
  assert.equal((await admin.get<WireChannel>(addressOf(channel))).json().title, 'South Two')
})

test('a deleted channel is not found', async () => {
  const channel = await aChannel(admin)

  const answer = await admin.delete(addressOf(channel), { 'if-match': '"1"' })

  assert.equal(answer.statusCode, 204)
  assert.equal(answer.body, '')
  assertProblem(await admin.get(addressOf(channel)), 404, 'channel.not_found')
  assertProblem(await admin.delete(addressOf(channel)), 404, 'channel.not_found')
})

for (const status of ['PENDING_ON_AIR', 'ON_AIR', 'PENDING_OFFLINE', 'ERROR']) {
  test(`a channel that is ${status} cannot be deleted`, async () => {
    const channel = await aChannel(admin)
    await setStatus(channel, status, 'NOT_STARTED')

    const answer = await admin.delete(addressOf(channel))

    const { detail } = assertProblem(answer, 409, 'record.in_use')
    assert.match(detail, new RegExp(status))
    assert.equal((await admin.get(addressOf(channel))).statusCode, 200)
  })
}

test('only a channel on air shows its override status', async () => {
  const channel = await aChannel(admin)
  const shown: string[] = []

  for (const status of ['OFFLINE', 'PENDING_ON_AIR', 'ON_AIR', 'PENDING_OFFLINE', 'ERROR']) {
    await setStatus(channel, status, 'OVERRIDDEN')
    const one = (await admin.get<WireChannel>(addressOf(channel))).json()
    const listed = (await admin.get<WireChannel[]>(CHANNELS)).json().find(isOf(channel))
    assert.equal(listed?.linear_channel_override_status, one.linear_channel_override_status)
    shown.push(`${one.status} ${one.linear_channel_override_status}`)
  }

  assert.deepEqual(shown, [
    'OFFLINE NOT_STARTED',
    'PENDING_ON_AIR NOT_STARTED',
    'ON_AIR OVERRIDDEN',
    'PENDING_OFFLINE NOT_STARTED',
    'ERROR NOT_STARTED',
  ])
})

test('an unknown slate or filler is rejected with a pointer to its field', async () => {
  const channel = await aChannel(admin)
  const fields = [
    ['rescue_slate_video_id', 'video.unknown'],
    ['time_fill_video_id', 'video.unknown'],
    ['ad_slate_video_id', 'video.unknown'],
    ['filler_playlist_id', 'playlist.unknown'],
  ] as const

  for (const [field, code] of fields) {
    for (const id of [randomUUID(), 'no-id']) {
      const created = await admin.post(CHANNELS, { title: 'North One', [field]: id })
      const changed = await admin.patch(addressOf(channel), { [field]: id })
      for (const answer of [created, changed]) {
        assert.deepEqual(
          assertProblem(answer, 422, code).errors?.map(({ pointer }) => pointer),
          [`/${field}`],
        )
      }
    }
  }
  assert.deepEqual((await admin.get(addressOf(channel))).json(), channel)
})

test('existing slates and fillers are stored; deleted ones and those of another account are rejected', async () => {
  const [video, deleted] = [await aVideoRow(db, accountId), await aVideoRow(db, accountId, { deletedMs: 1 })]
  const [otherVideo, otherList] = await otherMedia()
  const [list, deletedList] = [await aPlaylistRow(db, accountId), await aPlaylistRow(db, accountId, 1)]
  const slates = ['rescue_slate_video_id', 'time_fill_video_id', 'ad_slate_video_id'] as const
  const named = { ...Object.fromEntries(slates.map((field) => [field, video])), filler_playlist_id: list }

  const made = await aChannel(admin, named)
  const channel = await aChannel(admin)
  const changed = await admin.patch<WireChannel>(addressOf(channel), named)

  assert.deepEqual({ ...made, ...named }, made)
  assert.deepEqual({ ...changed.json(), ...named }, changed.json())
  for (const id of [deleted, otherVideo]) {
    for (const field of slates) {
      assertProblem(await admin.patch(addressOf(channel), { [field]: id }), 422, 'video.unknown')
    }
  }
  for (const filler_playlist_id of [deletedList, otherList]) {
    assertProblem(await admin.patch(addressOf(channel), { filler_playlist_id }), 422, 'playlist.unknown')
  }
})

test("another account's channel, a deleted one and a malformed id are not found, in every operation", async () => {
  const channel = await aChannel(admin)
  const deleted = await aChannel(admin)
  await admin.delete(addressOf(deleted))
  const reads = ['', '/outputs']
  const tries = [
    [otherAdmin, addressOf(channel)],
    [admin, addressOf(deleted)],
    [admin, `${CHANNELS}/${randomUUID()}`],
    [admin, `${CHANNELS}/no-id`],
    [admin, `${CHANNELS}/${channel.linear_channel_id.toUpperCase()}`],
    [admin, `${CHANNELS}/%27%3B--`],
  ] as const

  for (const [user, address] of tries) {
    for (const path of reads) assertProblem(await user.get(address + path), 404, 'channel.not_found')
    const answers = [
      await user.patch(address, { title: 'Mine' }),
      await user.delete(address),
      await user.post(`${address}/outputs`, { distributor: 'harbourtv' }),
      await user.patch(`${address}/outputs/direct`, { window_ms: 48_000 }),
      await user.delete(`${address}/outputs/direct`),
    ]
    for (const answer of answers) assertProblem(answer, 404, 'channel.not_found')
  }
  assert.deepEqual((await admin.get(addressOf(channel))).json(), channel)
  assert.deepEqual((await otherAdmin.get(CHANNELS)).json(), [])
})

test('every write is audited in API form and recorded as an event', async () => {
  const channel = await aChannel(admin)
  const changed = (await admin.patch(addressOf(channel), { title: 'South Two' })).json()
  await admin.delete(addressOf(channel))

  const { rows: entries } = await sql<{ action: string; before: unknown; after: unknown; user_id: string }>`
    select action, before, after, user_id from audit_entries
     where subject_id = ${channel.linear_channel_id} and subject_type = 'linear_channel'
     order by (before is not null), (after is null)`.execute(db)
  const { rows: events } = await sql<{ kind: string; data: { title: string } }>`
    select kind, data from events
     where subject_id = ${channel.linear_channel_id} and subject_type = 'linear_channel' order by number`.execute(
    db,
  )

  const { userId: user_id } = admin
  assert.deepEqual(entries, [
    { action: 'channel.create', before: null, after: channel, user_id },
    { action: 'channel.change', before: channel, after: changed, user_id },
    { action: 'channel.delete', before: changed, after: null, user_id },
  ])
  assert.deepEqual(
    events.map(({ kind, data }) => `${kind} ${data.title}`),
    ['channel.created North One', 'channel.changed South Two', 'channel.deleted South Two'],
  )
  await assertEvents(db, ['channel.created', 'channel.changed', 'channel.deleted'])
})

test('a rejected write is not audited', async () => {
  const channel = await aChannel(admin)

  await admin.patch(addressOf(channel), { title: 'X' }, { 'if-match': '"9"' })
  await admin.delete(`${addressOf(channel)}/outputs/direct`)

  assert.deepEqual(await auditOf(channel), ['channel.create', 'output.create'])
})

test('text with special characters is returned unchanged', async () => {
  const title = `Ärger's "Nord" \\ {1,2} %_ \u{1f4fa} \u2028 <b>`

  const channel = await aChannel(admin, { title, description: 'line\nline\ttab', internal_title: '' })

  const listed = (await admin.get<WireChannel[]>(CHANNELS)).json().find(isOf(channel))
  assert.equal(channel.title, title)
  assert.equal(listed?.title, title)
  assert.equal(listed.description, 'line\nline\ttab')
  assert.equal(channel.internal_title, '')
})

async function otherMedia(): Promise<[string, string]> {
  return [await aVideoRow(otherDb, otherId), await aPlaylistRow(otherDb, otherId)]
}

async function aPlaylistRow(db: Db, accountId: string, deletedMs: number | null = null): Promise<string> {
  const id = randomUUID()
  await sql`
    insert into playlists (account_id, playlist_id, title, title_order, description, images, status,
      created_ms, updated_ms, deleted_ms)
    values (${accountId}, ${id}, 'Filler', 'filler', '', '[]', 'READY', 0, 0, ${deletedMs})`.execute(db)
  return id
}

const isOf = (channel: WireChannel) => (other: WireChannel) =>
  other.linear_channel_id === channel.linear_channel_id

async function setStatus(channel: WireChannel, status: string, override: string): Promise<void> {
  await sql`update linear_channels set status = ${status}, override_status = ${override}
    where account_id = ${accountId} and linear_channel_id = ${channel.linear_channel_id}`.execute(db)
}

async function auditOf(channel: WireChannel): Promise<string[]> {
  const { rows } = await sql<{ action: string }>`
    select action from audit_entries where subject_id = ${channel.linear_channel_id} order by action`.execute(
    db,
  )
  return rows.map(({ action }) => action)
}
