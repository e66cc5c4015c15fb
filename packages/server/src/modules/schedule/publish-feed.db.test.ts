import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { SNAPSHOT_EVERY } from '../../platform/feed/feed-stream.ts'
import { loadLiveView } from '../live/read.ts'
import { beginEpoch, readDatabaseState } from './feed-epoch-store.ts'
import { type PublishJobDeps, publishUpdates } from './publish-feed.ts'
import { rebaseTimeline } from './rebase-timeline.ts'
import { aScheduleApi, type ScheduleAccount, videoItem } from './testing/a-schedule-api.ts'

const { api, feed, database, anAccount, aVideo, place, sweep } = await aScheduleApi()

const HOUR_MS = 3_600_000
const addressOf = ({ channelId }: ScheduleAccount) => `/api/2.3/linear_channels/${channelId}`

async function anAiringChannel(): Promise<ScheduleAccount> {
  const account = await anAccount()
  const answer = await account.admin.put(`${addressOf(account)}/start`)
  assert.equal(answer.statusCode, 200, answer.body)
  await sweep()
  return account
}

/** Commits an update that is not published yet, and returns its version. */
async function rename(account: ScheduleAccount, title: string): Promise<number> {
  const answer = await account.admin.patch(addressOf(account), { title })
  assert.equal(answer.statusCode, 200, answer.body)
  return (await waitingOf(account)).at(-1)!
}

async function waitingOf({ db, channelId }: ScheduleAccount): Promise<number[]> {
  const { rows } = await sql<{ version: number }>`
    select version from feed_steps where linear_channel_id = ${channelId} order by version`.execute(db)
  return rows.map(({ version }) => version)
}

async function epochOf({ db, channelId }: ScheduleAccount): Promise<number> {
  const { rows } = await sql<{ epoch: number }>`
    select feed_epoch as epoch from timelines where linear_channel_id = ${channelId}`.execute(db)
  return rows[0]!.epoch
}

const publish = (account: ScheduleAccount, deps: Partial<PublishJobDeps> = {}) =>
  publishUpdates(account.db, { clock: () => api.nowMs, publisher: feed, ...deps }, account)

test('a snapshot of a channel is published often enough: the stream keeps only the last updates', async () => {
  const account = await anAiringChannel()
  const from = feed.updates.length

  for (let count = 0; count < 2 * SNAPSHOT_EVERY; count += 1) {
    await rename(account, `Title ${count}`)
    await publish(account)
  }

  const published = feed.updates.slice(from)
  const snapshots = published.filter(({ kind }) => kind === 'whole').map(({ version }) => version)
  assert.equal(snapshots.length, 2)
  assert.ok(
    snapshots.every((version) => version % SNAPSHOT_EVERY === 0),
    snapshots.join(),
  )
})

test('a stream that is ahead of the database is detected when an update is published, and the update is kept', async () => {
  const account = await anAiringChannel()
  const version = await rename(account, 'Two')
  const epoch = await epochOf(account)
  for (const newer of [
    { epoch, version: version + 1 },
    { epoch: epoch + 1, version: 1 },
  ]) {
    let found = 0
    const deps = {
      publisher: { publishUpdate: async () => newer },
      onRestoreFound: () => {
        found += 1
      },
    }

    await assert.rejects(publish(account, deps), /ahead of the database/)

    assert.equal(found, 1)
    assert.deepEqual(await waitingOf(account), [version])
  }
})

test('an update that another process has published already is deleted', async () => {
  const account = await anAiringChannel()
  const version = await rename(account, 'Two')
  const published = { epoch: await epochOf(account), version }

  await publish(account, {
    publisher: { publishUpdate: async () => published },
    onRestoreFound: () => assert.fail('no restore'),
  })

  assert.deepEqual(await waitingOf(account), [])
})

test('an update that could not be published is retried until it is, while nothing else is due', async () => {
  const account = await anAiringChannel()
  const startMs = api.nowMs + HOUR_MS / 2
  const items = [videoItem(await aVideo(account, 64), 64)]
  feed.isUp = false
  await place(account, { startMs, endMs: startMs + 64_000, items })

  let failures = 0
  for (let round = 0; round < 20; round += 1) {
    api.nowMs += 2_000
    await sweep().catch(() => {
      failures += 1
    })
  }
  assert.ok(failures > 2, `${failures}`)
  assert.notDeepEqual(await waitingOf(account), [])
  feed.isUp = true
  api.nowMs += 2_000
  await sweep()

  assert.deepEqual(await waitingOf(account), [])
})

test('updates that a restored database still had to publish are replaced by a snapshot', async () => {
  const account = await anAiringChannel()
  const version = await rename(account, 'Two')
  const { epoch: expected } = await readDatabaseState(database.platform)
  await beginEpoch(database.platform, { expected, above: expected, reason: 'test' }, api.nowMs)
  const before = feed.updates.length

  await publish(account)

  assert.equal(feed.updates.length, before)
  assert.deepEqual(await waitingOf(account), [version])
  const deps = { clock: () => api.nowMs, loadLiveView }
  await account.db
    .transaction()
    .execute((tx) => rebaseTimeline(tx, deps, account, feed.stateOf(account.channelId)))
  await publish(account)

  assert.equal(feed.updates.length, before)
  assert.deepEqual(await waitingOf(account), [])
})
