import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { assertProblem } from '../../http/testing/wire.ts'
import { aChannel, aChannelApi, addressOf, CHANNELS } from './testing/a-channel-api.ts'
import type { WireChannel, WireOutput } from './wire.ts'

const { admin, otherAdmin, accountId, db } = await aChannelApi()

/** Repetitions, since a race shows only sometimes. */
const ROUNDS = 20

test('of two concurrent changes with the same If-Match one is rejected', async () => {
  const channel = await aChannel(admin)

  for (let version = 1; version <= ROUNDS; version += 1) {
    const change = (title: string) =>
      admin.patch<WireChannel>(addressOf(channel), { title }, { 'if-match': `"${version}"` })
    const answers = await Promise.all([change(`left ${version}`), change(`right ${version}`)])

    const [done, rejected] = answers.toSorted((a, b) => a.statusCode - b.statusCode)
    assert.equal(done?.statusCode, 200)
    assertProblem(rejected!, 412, 'record.changed')
    assert.deepEqual((await admin.get(addressOf(channel))).json(), done.json())
  }
})

test('concurrent changes of different fields are all kept', async () => {
  const channel = await aChannel(admin)
  const titles = Array.from({ length: ROUNDS }, (_, i) => `title ${i}`)

  const answers = await Promise.all([
    ...titles.map((title) => admin.patch(addressOf(channel), { title })),
    admin.patch(addressOf(channel), { description: 'kept' }),
    admin.patch(addressOf(channel), { internal_title: 'kept' }),
  ])

  for (const { statusCode } of answers) assert.equal(statusCode, 200)
  const read = await admin.get<WireChannel>(addressOf(channel))
  assert.equal(read.headers['etag'], `"${1 + answers.length}"`)
  assert.equal(read.json().description, 'kept')
  assert.equal(read.json().internal_title, 'kept')
})

test('concurrent creates with one idempotency key make one channel', async () => {
  const draft = { title: `Once ${randomUUID()}` }
  const key = { 'idempotency-key': randomUUID() }

  const answers = await Promise.all(
    Array.from({ length: 5 }, () => admin.post<WireChannel>(CHANNELS, draft, key)),
  )

  assert.equal(answers[0]?.statusCode, 201, answers[0]?.body)
  for (const answer of answers) {
    assert.equal(answer.statusCode, 201)
    assert.equal(answer.body, answers[0].body)
    assert.equal(answer.headers['etag'], '"1"')
  }
  const listed = await admin.get<WireChannel[]>(`${CHANNELS}?linear_channel_name=${draft.title}`)
  assert.equal(listed.json().length, 1)
  assertProblem(await admin.post(CHANNELS, { title: 'Other' }, key), 422, 'idempotency.key_reused')
})

test('the same idempotency key in another account makes another channel', async () => {
  const key = { 'idempotency-key': randomUUID() }

  const ours = await admin.post<WireChannel>(CHANNELS, { title: 'Same' }, key)
  const theirs = await otherAdmin.post<WireChannel>(CHANNELS, { title: 'Same' }, key)

  assert.notEqual(ours.json().linear_channel_id, theirs.json().linear_channel_id)
})

test('a change concurrent with a deletion comes before it or returns 404', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const channel = await aChannel(admin)

    const [change, removal] = await Promise.all([
      admin.patch(addressOf(channel), { title: 'Late' }),
      admin.delete(addressOf(channel)),
    ])

    assert.equal(removal.statusCode, 204)
    if (change.statusCode !== 200) assertProblem(change, 404, 'channel.not_found')
    const changes = change.statusCode === 200 ? ['channel.changed'] : []
    assert.deepEqual(await eventsOf(channel), [...creation, ...changes, 'channel.deleted'])
  }
})

test('an output created concurrently with the deletion of its channel comes before it or returns 404', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const channel = await aChannel(admin)

    const [output, removal] = await Promise.all([
      admin.post<WireOutput>(`${addressOf(channel)}/outputs`, { distributor: 'harbourtv' }),
      admin.delete(addressOf(channel)),
    ])

    assert.equal(removal.statusCode, 204)
    if (output.statusCode !== 201) assertProblem(output, 404, 'channel.not_found')
    const made = output.statusCode === 201 ? ['output.created'] : []
    assert.deepEqual(await eventsOf(channel), [...creation, ...made, 'channel.deleted'])
  }
})

test('an account has at most ten thousand channels, also with concurrent creates', async () => {
  const { rows } = await sql<{ count: number }>`
    select count(*) from linear_channels where deleted_ms is null`.execute(db)
  await sql`
    insert into linear_channels (account_id, linear_channel_id, title, title_folded, description,
      internal_title, status, override_status, created_ms, updated_ms)
    select ${accountId}, gen_random_uuid(), 'Many', 'many', '', '', 'OFFLINE', 'NOT_STARTED', 0, 0
      from generate_series(1, ${9_998 - rows[0]!.count}::integer)`.execute(db)

  const answers = await Promise.all(
    Array.from({ length: 8 }, () => admin.post<WireChannel>(CHANNELS, { title: 'Last' })),
  )

  const rejected = answers.filter(({ statusCode }) => statusCode !== 201)
  assert.equal(rejected.length, 6)
  for (const answer of rejected) assertProblem(answer, 422, 'channel.too_many')
  const [made] = answers.filter(({ statusCode }) => statusCode === 201)
  await admin.delete(addressOf(made!.json()))
  assert.equal((await admin.post(CHANNELS, { title: 'Replacement' })).statusCode, 201)
  assert.equal((await otherAdmin.post(CHANNELS, { title: 'Elsewhere' })).statusCode, 201)
})

/** The first events of every channel. */
const creation = ['channel.created', 'output.created']

async function eventsOf({ linear_channel_id }: WireChannel): Promise<string[]> {
  const { rows } = await sql<{ kind: string }>`
    select kind from events where subject_id = ${linear_channel_id} order by number`.execute(db)
  return rows.map(({ kind }) => kind)
}
