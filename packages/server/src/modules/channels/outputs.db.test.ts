import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { assertProblem } from '../../http/testing/wire.ts'
import { assertEvents } from '../events/testing/assert-events.ts'
import { aChannel, aChannelApi, addressOf } from './testing/a-channel-api.ts'
import type { WireOutput } from './wire.ts'

const { admin, db } = await aChannelApi()

test('a new output has defaults for absent fields', async () => {
  const outputs = await outputsOf()

  const made = await admin.post(outputs, { distributor: 'harbourtv', markers: 'CUE', key: 'n-1' })

  const expected = { distributor: 'harbourtv', key: 'n-1', window_ms: 32_000, markers: 'CUE' }
  assert.equal(made.statusCode, 201, made.body)
  assert.deepEqual(made.json(), {
    ...expected,
    break_policy: 'ACTUAL',
    audience_source: 'NODES',
    delay_ms: 0,
  })
})

test('an output may have a delay of up to a day in whole seconds, which never changes', async () => {
  const outputs = await outputsOf()

  const made = await admin.post<WireOutput>(outputs, { distributor: 'west', delay_ms: 10_800_000 })
  const longest = await admin.post(outputs, { distributor: 'longest', delay_ms: 86_400_000 })
  const rejected = await Promise.all(
    [-1_000, 500, 3_600_001, 86_401_000, 1.5, '3600', null].map((delay_ms) =>
      admin.post(outputs, { distributor: 'other', delay_ms }),
    ),
  )
  const changes = await Promise.all(
    [{ delay_ms: 0 }, { delay_ms: 10_801_000, markers: 'CUE' }].map((change) =>
      admin.patch(`${outputs}/west`, change),
    ),
  )
  const direct = await admin.patch(`${outputs}/direct`, { delay_ms: 3_600_000 })
  const same = await admin.patch<WireOutput>(`${outputs}/west`, { delay_ms: 10_800_000, markers: 'CUE' })

  assert.deepEqual([made.statusCode, made.json().delay_ms], [201, 10_800_000])
  assert.equal(longest.statusCode, 201, longest.body)
  for (const answer of rejected) assertProblem(answer, 400, 'request.invalid')
  assert.match(rejected[1]!.body, /delay_ms/)
  for (const answer of [...changes, direct]) assertProblem(answer, 409, 'output.delay_fixed')
  assert.equal(same.statusCode, 200, same.body)
  assert.deepEqual(same.json(), { ...made.json(), markers: 'CUE' })
  assertProblem(await admin.patch(`${outputs}/west`, { delay_ms: 500 }), 400, 'request.invalid')
})

test('outputs are sorted by distributor', async () => {
  const outputs = await outputsOf()
  for (const distributor of ['zebra', 'a_b', 'a-b', '9tv']) await admin.post(outputs, { distributor })

  const listed = (await admin.get<WireOutput[]>(outputs)).json()

  assert.deepEqual(
    listed.map(({ distributor }) => distributor),
    ['9tv', 'a-b', 'a_b', 'direct', 'zebra'],
  )
})

test('a distributor has at most one output per channel', async () => {
  const outputs = await outputsOf()
  await admin.post(outputs, { distributor: 'harbourtv' })

  const again = await admin.post(outputs, { distributor: 'harbourtv' })
  const direct = await admin.post(outputs, { distributor: 'direct' })
  const elsewhere = await admin.post(await outputsOf(), { distributor: 'harbourtv' })

  assertProblem(again, 409, 'output.exists')
  assertProblem(direct, 409, 'output.exists')
  assert.equal(elsewhere.statusCode, 201)
})

test('a PATCH changes only the fields it contains, also for `direct`', async () => {
  const outputs = await outputsOf()

  const changed = await admin.patch<WireOutput>(`${outputs}/direct`, { window_ms: 48_000, key: 'n-1' })

  const expected = { distributor: 'direct', key: 'n-1', window_ms: 48_000, markers: 'BOTH' }
  assert.equal(changed.statusCode, 200, changed.body)
  assert.deepEqual(changed.json(), {
    ...expected,
    break_policy: 'ACTUAL',
    audience_source: 'NODES',
    delay_ms: 0,
  })
  assert.deepEqual((await admin.get(outputs)).json(), [changed.json()])
})

test('a change from NODES to LOGS excludes log lines that nodes may have counted', async () => {
  const channel = await aChannel(admin)
  const outputs = `${addressOf(channel)}/outputs`
  await admin.post(outputs, { distributor: 'cached', audience_source: 'LOGS' })
  const read = async () => {
    const { rows } = await sql<{ made: string; from: string }>`
      select distributor || ' ' || audience_source as made, audience_from_ms - created_ms as from from outputs
       where linear_channel_id = ${channel.linear_channel_id} order by distributor`.execute(db)
    return rows.map(({ made, from }) => [made, Math.round(Number(from) / 10_000)])
  }
  const before = await read()

  await admin.patch(`${outputs}/direct`, { audience_source: 'LOGS' })
  await admin.patch(`${outputs}/cached`, { markers: 'NONE' })
  const rejected = await admin.patch(`${outputs}/direct`, { audience_source: 'BOTH' })

  assert.deepEqual(before, [
    ['cached LOGS', 0],
    ['direct NODES', 0],
  ])
  assert.deepEqual(await read(), [
    ['cached LOGS', 0],
    ['direct LOGS', 6],
  ])
  assertProblem(rejected, 400, 'request.invalid')
})

test('an output can be deleted and created again; `direct` cannot be deleted', async () => {
  const outputs = await outputsOf()
  await admin.post(outputs, { distributor: 'harbourtv' })

  const removed = await admin.delete(`${outputs}/harbourtv`)

  assert.equal(removed.statusCode, 204)
  assertProblem(await admin.delete(`${outputs}/harbourtv`), 404, 'output.not_found')
  assertProblem(await admin.patch(`${outputs}/harbourtv`, { markers: 'NONE' }), 404, 'output.not_found')
  assertProblem(await admin.delete(`${outputs}/direct`), 409, 'record.in_use')
  assert.equal((await admin.post(outputs, { distributor: 'harbourtv' })).statusCode, 201)
})

test('a channel has at most a hundred outputs, also with concurrent creates', async () => {
  const outputs = await outputsOf()
  for (let i = 1; i <= 97; i += 1) await admin.post(outputs, { distributor: `d${i}` })

  for (let round = 0; round < 5; round += 1) {
    const names = Array.from({ length: 6 }, (_, i) => `last${i}`)
    const last = await Promise.all(names.map((distributor) => admin.post(outputs, { distributor })))
    const rejected = last.filter(({ statusCode }) => statusCode !== 201)
    assert.equal(rejected.length, 4)
    for (const answer of rejected) assertProblem(answer, 422, 'output.too_many')
    assert.equal((await admin.get<WireOutput[]>(outputs)).json().length, 100)
    assertProblem(await admin.post(outputs, { distributor: 'd1' }), 409, 'output.exists')
    for (const name of names) await admin.delete(`${outputs}/${name}`)
  }
})

test('every write of an output is audited under its channel and recorded as an event', async () => {
  const channel = await aChannel(admin)
  const outputs = `${addressOf(channel)}/outputs`
  const made = (await admin.post<WireOutput>(outputs, { distributor: 'harbourtv' })).json()
  const changed = (await admin.patch<WireOutput>(`${outputs}/harbourtv`, { markers: 'NONE' })).json()
  await admin.patch(`${outputs}/harbourtv`, { markers: 'NONE' })
  await admin.delete(`${outputs}/harbourtv`)

  const { linear_channel_id } = channel
  const { rows: entries } = await sql`
    select action, before, after from audit_entries
     where subject_id = ${linear_channel_id} and subject_type = 'output'
       and coalesce(after, before)->>'distributor' = 'harbourtv'
     order by (before is not null), (after is null)`.execute(db)
  const { rows: events } = await sql`
    select kind, data from events where subject_id = ${linear_channel_id} and subject_type = 'output'
       and data->>'distributor' = 'harbourtv' order by number`.execute(db)

  assert.deepEqual(entries, [
    { action: 'output.create', before: null, after: made },
    { action: 'output.change', before: made, after: changed },
    { action: 'output.delete', before: changed, after: null },
  ])
  assert.deepEqual(events, [
    { kind: 'output.created', data: { linear_channel_id, ...made } },
    { kind: 'output.changed', data: { linear_channel_id, ...changed } },
    { kind: 'output.deleted', data: { linear_channel_id, ...changed } },
  ])
  await assertEvents(db, ['output.created', 'output.changed', 'output.deleted'])
})

const outputsOf = async () => `${addressOf(await aChannel(admin))}/outputs`
