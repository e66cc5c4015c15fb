import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { type AudienceRow, encodeBatch } from '@continuity/core/audience/audience-batch'
import pg from 'pg'
import { newId } from '../../platform/crypto/ids.ts'
import { aDatabase } from '../../platform/testing/a-database.ts'
import { addAccounts } from '../../platform/testing/an-account.ts'
import { addBatch } from './add-batch.ts'
import { keepAudienceDays } from './audience-days.ts'
import { purgeBatchIds } from './jobs.ts'
import { createReferences } from './references.ts'

const DAY_MS = 86_400_000
const NOW_MS = Date.parse('2026-03-02T00:30:00Z')
const { database, ownerUrl } = await aDatabase()
const [north, south] = [newId(0), newId(0)]
await addAccounts(ownerUrl, { north, south })
const deps = { database, clock: () => NOW_MS, references: createReferences() }
const owner = new pg.Client({ connectionString: ownerUrl })
await owner.connect()
after(() => owner.end())

const minute = (text: string) => Date.parse(`2026-03-${text}Z`)

const aRow = (fields: Partial<AudienceRow>): AudienceRow => ({
  channelId: newId(1),
  distributor: 'direct',
  country: 'DE',
  minuteMs: minute('02T00:10:00'),
  spanTicks: 90_000,
  type: 'VIDEO',
  programId: 'news',
  component: 2,
  cmcdV2Ms: 0,
  cmcdV1Ms: 0,
  heartbeatMs: 1_000,
  starts: 0,
  ...fields,
})

const aBatch = (rows: readonly AudienceRow[], accountId = north, closedMs = NOW_MS) =>
  encodeBatch({ batchId: newId(closedMs), accountId, closedMs, rows })

/** Read as the owner, who bypasses row-level security; only the two accounts of this test. */
async function sumsOf(table: 'audience_hours' | 'audience_minutes', channelId: string) {
  const { rows } = await owner.query<Record<string, string>>(
    `select * from ${table} where linear_channel_id = $1 and account_id = any($2) order by 1, 2, 3, 4, 5, 6, 7`,
    [channelId, [north, south]],
  )
  return rows.map((row) => {
    const time = new Date(Number(row['hour_ms'] ?? row['minute_ms'])).toISOString().slice(8, 16)
    const counts = ['cmcd_v2_ms', 'cmcd_v1_ms', 'heartbeat_ms', 'starts'].map((name) => Number(row[name]))
    return [time, ...(row['country'] === undefined ? [] : [row['country']]), row['type'], ...counts]
  })
}

test('rows are summed by hour and country, and by minute', async () => {
  const channelId = newId(2)
  const row = (fields: Partial<AudienceRow>) => aRow({ channelId, ...fields })

  const answer = await addBatch(
    deps,
    aBatch([
      row({ cmcdV2Ms: 5, starts: 1 }),
      row({ country: 'US', cmcdV1Ms: 7 }),
      row({ minuteMs: minute('02T00:11:00') }),
      row({ minuteMs: minute('02T01:00:00') }),
      row({ type: 'AD_POD', spanTicks: 180_000 }),
    ]),
  )
  await addBatch(deps, aBatch([row({ heartbeatMs: 500, starts: 2 })]))

  assert.equal(answer, 'applied')
  assert.deepEqual(await sumsOf('audience_hours', channelId), [
    ['02T00:00', 'DE', 'VIDEO', 5, 0, 2_500, 3],
    ['02T00:00', 'DE', 'AD_POD', 0, 0, 1_000, 0],
    ['02T00:00', 'US', 'VIDEO', 0, 7, 1_000, 0],
    ['02T01:00', 'DE', 'VIDEO', 0, 0, 1_000, 0],
  ])
  assert.deepEqual(await sumsOf('audience_minutes', channelId), [
    ['02T00:10', 'VIDEO', 5, 7, 2_500, 3],
    ['02T00:10', 'AD_POD', 0, 0, 1_000, 0],
    ['02T00:11', 'VIDEO', 0, 0, 1_000, 0],
    ['02T01:00', 'VIDEO', 0, 0, 1_000, 0],
  ])
})

test('a batch that is sent repeatedly or concurrently is added once', async () => {
  const channelId = newId(3)
  const batch = aBatch([aRow({ channelId })])

  const answers = await Promise.all(Array.from({ length: 8 }, () => addBatch(deps, batch)))
  answers.push(await addBatch(deps, batch))

  assert.deepEqual(new Set(answers), new Set(['applied']))
  assert.deepEqual(await sumsOf('audience_minutes', channelId), [['02T00:10', 'VIDEO', 0, 0, 1_000, 0]])
})

test('concurrent batches with the same rows in different order are all added, without deadlock', async () => {
  const channels = Array.from({ length: 40 }, () => newId(4))
  const batches = Array.from({ length: 12 }, (_, at) => {
    const rows = channels.map((channelId) => aRow({ channelId }))
    return aBatch(at % 2 === 0 ? rows : rows.toReversed())
  })

  const answers = await Promise.all(batches.map((batch) => addBatch(deps, batch)))

  assert.deepEqual(new Set(answers), new Set(['applied']))
  for (const channelId of channels) {
    assert.deepEqual(await sumsOf('audience_hours', channelId), [
      ['02T00:00', 'DE', 'VIDEO', 0, 0, 12_000, 0],
    ])
  }
})

test('a late batch is added to the partition of its day', async () => {
  const channelId = newId(5)
  const closedMs = NOW_MS - 20 * DAY_MS
  const minuteMs = Math.floor((closedMs - DAY_MS) / 60_000) * 60_000

  const answer = await addBatch(deps, aBatch([aRow({ channelId, minuteMs })], north, closedMs))

  assert.equal(answer, 'applied')
  const { rows } = await owner.query(
    `select tableoid::regclass::text as partition from audience_hours where linear_channel_id = $1 and account_id = $2`,
    [channelId, north],
  )
  assert.deepEqual(rows, [{ partition: 'audience_days.audience_hours_20260209' }])
})

test('rejects a malformed batch, an expired one, and one of a missing account', async () => {
  const channelId = newId(6)
  const closedMs = NOW_MS - 31 * DAY_MS
  const old = aRow({ channelId, minuteMs: Math.floor(closedMs / 60_000) * 60_000 })

  const answers = await Promise.all([
    addBatch(deps, 'nonsense'),
    addBatch(deps, aBatch([old], north, closedMs)),
    addBatch(deps, aBatch([aRow({ channelId })], newId(7))),
  ])

  assert.deepEqual(answers, ['rejected', 'rejected', 'rejected'])
  assert.deepEqual(await sumsOf('audience_hours', channelId), [])
})

test('sums of accounts are separate', async () => {
  const channelId = newId(8)
  await addBatch(deps, aBatch([aRow({ channelId })], north))
  await addBatch(deps, aBatch([aRow({ channelId, heartbeatMs: 2_000 })], south))

  const all = await sumsOf('audience_minutes', channelId)

  assert.deepEqual(
    all.map((row) => row.at(-2)),
    [1_000, 2_000].toSorted((a, b) => (north < south ? a - b : b - a)),
  )
})

const listDays = async () =>
  (
    await owner.query<{ relname: string }>(
      `select relname from pg_class where relnamespace = 'audience_days'::regnamespace and relkind = 'r' order by 1`,
    )
  ).rows.map(({ relname }) => relname)

test('partitions are created ahead, and dropped when expired', async () => {
  await keepAudienceDays(database.platform, { hoursKeptDays: 0, minutesKeptDays: 10 }, NOW_MS)
  const first = await listDays()
  await keepAudienceDays(database.platform, { hoursKeptDays: 3, minutesKeptDays: 0 }, NOW_MS + 4 * DAY_MS)
  const later = await listDays()

  const days = (names: readonly string[], table: string) =>
    names.filter((name) => name.startsWith(table)).map((name) => name.slice(-4))
  assert.deepEqual(days(first, 'audience_minutes'), ['0301', '0302', '0303', '0304', '0305'])
  assert.deepEqual(days(first, 'audience_hours'), ['0209', '0301', '0302', '0303', '0304', '0305'])
  assert.deepEqual(days(later, 'audience_hours'), ['0303', '0304', '0305', '0306', '0307', '0308', '0309'])
  assert.equal(days(later, 'audience_minutes').length, 9)
})

test('batches at once create the partition of a late day together', async () => {
  const channelId = newId(9)
  for (const daysAgo of [10, 11, 12, 13, 14]) {
    const closedMs = NOW_MS - daysAgo * DAY_MS
    const row = aRow({ channelId, minuteMs: closedMs - 600_000 })
    await Promise.all([1, 2, 3, 4].map(() => addBatch(deps, aBatch([row], north, closedMs))))
  }

  const sums = await sumsOf('audience_minutes', channelId)
  assert.deepEqual(
    sums.map((row) => row.at(-2)),
    [4_000, 4_000, 4_000, 4_000, 4_000],
  )
})

test('ids of batches are kept longer than batches are accepted', async () => {
  const count = async () => Number((await owner.query('select count(*) from audience_batches')).rows[0].count)
  const before = await count()

  const deletedEarly = await purgeBatchIds(database.platform, NOW_MS + 15 * DAY_MS)
  await purgeBatchIds(database.platform, NOW_MS + 36 * DAY_MS)

  assert.ok(before > 0)
  assert.equal(deletedEarly, 0)
  assert.equal(await count(), 0)
})
