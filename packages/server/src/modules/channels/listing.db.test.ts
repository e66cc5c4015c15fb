import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { assertProblem } from '../../http/testing/wire.ts'
import { aChannel, aChannelApi, addressOf, CHANNELS } from './testing/a-channel-api.ts'
import type { WireChannel } from './wire.ts'

const { api, admin, otherAdmin, accountId, db } = await aChannelApi()

/** In the order of their creation, a second apart. */
const titles = ['Nord Zwei', 'élan', 'Zebra 100%', 'Elan Plus', 'nord_eins', 'Straße \\ Nord']
const channels: WireChannel[] = []
for (const title of titles) {
  api.nowMs += 1_000
  channels.push(await aChannel(admin, { title }))
}
// The first one created is the last one changed.
api.nowMs += 1_000
await admin.patch(addressOf(channels[0]!), { description: 'changed' })
await aChannel(otherAdmin, { title: 'Not ours' })

test('the list is a bare array of the documented fields', async () => {
  const [first] = (await list('')).filter(({ title }) => title === 'élan')

  assert.deepEqual(first, {
    title: 'élan',
    description: '',
    internal_title: 'élan',
    status: 'OFFLINE',
    linear_channel_id: channels[1]!.linear_channel_id,
    linear_channel_override_status: 'NOT_STARTED',
  })
})

test('an account without channels has an empty array', async () => {
  const user = api.userOf(randomUUID())

  assert.equal((await user.get(CHANNELS)).body, '[]')
})

const orders: Readonly<Record<string, readonly number[]>> = {
  'lastModifiedDate.desc': [0, 5, 4, 3, 2, 1],
  'createdDate.asc': [0, 1, 2, 3, 4, 5],
  'linearChannelId.asc': [0, 1, 2, 3, 4, 5],
  // Without regard to case and accents.
  'title.asc': [1, 3, 0, 4, 5, 2],
}

for (const [sort, order] of Object.entries(orders)) {
  test(`sorts by ${sort} and in reverse, with the direction in either case`, async () => {
    const [field, direction] = sort.split('.')
    const reverse = direction === 'asc' ? 'desc' : 'asc'
    const expected = order.map((i) => titles[i])

    for (const text of [direction!, direction!.toUpperCase()]) {
      assert.deepEqual(await titlesOf(`?sort=${field}.${text}`), expected)
    }
    for (const text of [reverse, reverse.toUpperCase()]) {
      assert.deepEqual(await titlesOf(`?sort=${field}.${text}`), expected.toReversed())
    }
  })
}

test('the default sort is the last changed channel first', async () => {
  assert.deepEqual(await titlesOf(''), await titlesOf('?sort=lastModifiedDate.desc'))
})

test('channels with equal sort values are sorted by id', async () => {
  const twins = randomUUID().slice(0, 8)
  for (let i = 0; i < 5; i += 1) await aChannel(admin, { title: `Twin ${twins}` })
  const byId = await idsOf(`?linear_channel_name=${twins}&sort=linearChannelId.asc`)

  for (const field of ['title', 'createdDate', 'lastModifiedDate']) {
    assert.deepEqual(await idsOf(`?linear_channel_name=${twins}&sort=${field}.asc`), byId)
    assert.deepEqual(await idsOf(`?linear_channel_name=${twins}&sort=${field}.desc`), byId.toReversed())
  }
  for (const id of byId) await admin.delete(`${CHANNELS}/${id}`)
})

const searches: Readonly<Record<string, readonly number[]>> = {
  nord: [0, 4, 5],
  NORD: [0, 4, 5],
  ELAN: [1, 3],
  Élan: [1, 3],
  'strasse \\': [5],
  '  Zwei ': [0],
  '%': [2],
  _: [4],
  '\\': [5],
  'n.rd': [],
  n_rd: [],
  '': [0, 1, 2, 3, 4, 5],
  'Not ours': [],
}

for (const [text, found] of Object.entries(searches)) {
  test(`part of a title: ${JSON.stringify(text)}`, async () => {
    const query = new URLSearchParams({ linear_channel_name: text, sort: 'createdDate.asc' })

    assert.deepEqual(
      await titlesOf(`?${query.toString()}`),
      found.map((i) => titles[i]),
    )
  })
}

test('a channel is found by its new title and no longer by its old one', async () => {
  const channel = await aChannel(admin, { title: 'Früher' })
  await admin.patch(addressOf(channel), { title: 'Spåter' })

  assert.deepEqual(await titlesOf('?linear_channel_name=fruher'), [])
  assert.deepEqual(await titlesOf('?linear_channel_name=spater'), ['Spåter'])
  await admin.delete(addressOf(channel))
  assert.deepEqual(await titlesOf('?linear_channel_name=spater'), [])
})

test('status filters the list, and ALL lists every channel', async () => {
  const statuses = ['ON_AIR', 'PENDING_OFFLINE', 'OFFLINE', 'PENDING_ON_AIR', 'ERROR']
  for (const [i, status] of statuses.entries()) {
    await sql`update linear_channels set status = ${status} where account_id = ${accountId}
      and linear_channel_id = ${channels[i]!.linear_channel_id}`.execute(db)
  }

  for (const [i, status] of statuses.entries()) {
    const expected = status === 'OFFLINE' ? [titles[2], titles[5]] : [titles[i]]
    assert.deepEqual(await titlesOf(`?status=${status}&sort=createdDate.asc`), expected)
  }
  assert.equal((await list('?status=ALL')).length, titles.length)
  assert.deepEqual(await titlesOf('?status=ON_AIR&linear_channel_name=zebra'), [])
})

test('rejects an unknown status, sort field or direction', async () => {
  for (const query of ['status=on_air', 'status=', 'sort=name.asc', 'sort=title', 'sort=title.up', 'sort=']) {
    assertProblem(await admin.get(`${CHANNELS}?${query}`), 400, 'request.invalid')
  }
})

test('only roles that may read channels may list them', async () => {
  for (const role of ['ROLE_USER', 'ROLE_ADMIN', 'SCHEDULE', 'ROLE_OPERATOR']) {
    assert.equal((await api.userOf(accountId, [role]).get(CHANNELS)).statusCode, 200)
  }
  assertProblem(await api.userOf(accountId, ['ROLE_ANONYMOUS']).get(CHANNELS), 403, 'role.missing')
  const operator = api.userOf(accountId, ['ROLE_OPERATOR'])
  assertProblem(await operator.post(CHANNELS, { title: 'Mine' }), 403, 'role.missing')
})

const list = async (query: string) => (await admin.get<WireChannel[]>(CHANNELS + query)).json()
const titlesOf = async (query: string) => (await list(query)).map(({ title }) => title)
const idsOf = async (query: string) => (await list(query)).map((channel) => channel.linear_channel_id)
