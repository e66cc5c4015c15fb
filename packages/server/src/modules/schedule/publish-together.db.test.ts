import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { publishTogether } from './publish-together.ts'
import { aScheduleApi, type ScheduleAccount, type TestFeed } from './testing/a-schedule-api.ts'

const { api, feed, anAccount, sweep } = await aScheduleApi()

/** An account with channels on air, each with an update that is not published. */
async function channelsWithUpdates(count: number) {
  const account = await anAccount()
  const { admin } = account
  const channelIds = [account.channelId]
  while (channelIds.length < count) {
    const made = await admin.post<{ linear_channel_id: string }>('/api/2.3/linear_channels', {
      title: 'More',
    })
    channelIds.push(made.json().linear_channel_id)
  }
  for (const id of channelIds) await admin.put(`/api/2.3/linear_channels/${id}/start`)
  await sweep()
  for (const id of channelIds) await rename(account, id, 'Two')
  return { account, channelIds }
}

const rename = ({ admin }: ScheduleAccount, channelId: string, title: string) =>
  admin.patch(`/api/2.3/linear_channels/${channelId}`, { title })

/** Channels with updates that are not published, and those with a due row. */
async function leftOf({ db }: ScheduleAccount, channelIds: readonly string[]) {
  const updates = await sql<{ id: string }>`
    select distinct linear_channel_id as id from feed_steps where linear_channel_id = any(${channelIds})`.execute(
    db,
  )
  const due = await sql<{ id: string }>`
    select subject_id as id from due_rows
     where kind = 'publish_feed' and subject_id = any(${channelIds})`.execute(db)
  const sorted = (rows: readonly { id: string }[]) => rows.map(({ id }) => id).toSorted()
  return { updates: sorted(updates.rows), due: sorted(due.rows) }
}

const publisherOf = (account: ScheduleAccount, publishUpdate: TestFeed['publishUpdate']) =>
  publishTogether(account.db, { clock: () => api.nowMs, publisher: { publishUpdate } }, account.accountId)

const titleOf = (channelId: string) => feed.stateOf(channelId)!.channel.title

test('channels that are published together leave nothing to a worker, except one whose update the feed rejected', async () => {
  const { account, channelIds } = await channelsWithUpdates(4)
  const [first, broken, ...others] = channelIds as [string, string, ...string[]]
  const publish = publisherOf(account, async (id, update) => {
    if (id.channelId === broken) throw new Error('NATS is gone')
    return feed.publishUpdate(id, update)
  })

  const results = await Promise.allSettled(channelIds.map(publish))

  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled', 'fulfilled'],
  )
  assert.deepEqual([first, ...others].map(titleOf), ['Two', 'Two', 'Two'])
  assert.deepEqual(await leftOf(account, channelIds), { updates: [broken], due: [broken] })
})

test('an update that is added while the one before it is published is left to a worker, and is not lost', async () => {
  const { account, channelIds } = await channelsWithUpdates(2)
  const [busy] = channelIds as [string]
  const publish = publisherOf(account, async (id, update) => {
    if (id.channelId === busy) await rename(account, busy, 'Three')
    return feed.publishUpdate(id, update)
  })

  await Promise.all(channelIds.map(publish))

  assert.deepEqual(await leftOf(account, channelIds), { updates: [busy], due: [busy] })
  await sweep()
  assert.equal(titleOf(busy), 'Three')
  api.nowMs += 2_000
  await sweep()
  assert.deepEqual(await leftOf(account, channelIds), { updates: [], due: [] })
})

test('two concurrent publishers of the same channels both finish, and each update is published', async () => {
  const { account, channelIds } = await channelsWithUpdates(6)
  const publishers = [publisherOf(account, feed.publishUpdate), publisherOf(account, feed.publishUpdate)]

  await Promise.all(publishers.flatMap((publish) => channelIds.map(publish)))

  assert.deepEqual(channelIds.map(titleOf), Array(6).fill('Two'))
  assert.deepEqual(await leftOf(account, channelIds), { updates: [], due: [] })
})
