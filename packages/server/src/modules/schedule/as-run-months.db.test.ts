import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { AsRunEntry } from '@continuity/core/as-run/as-run'
import { ticksOf } from '@continuity/core/time/ticks'
import pg from 'pg'
import { newId } from '../../platform/crypto/ids.ts'
import { migrate } from '../../platform/database/migrate.ts'
import { readMigrations } from '../../platform/database/migrations.ts'
import { AppError } from '../../platform/errors.ts'
import { anEmptyDatabase, aReleasedDatabase } from '../../platform/testing/a-database.ts'
import { addAccounts } from '../../platform/testing/an-account.ts'
import { keepAsRunMonths } from './as-run-months.ts'
import { findAiringStart, insertAsRun, listAsRun } from './as-run-store.ts'

const { database, ownerUrl } = await aReleasedDatabase()
const accountId = newId(0)
await addAccounts(ownerUrl, { north: accountId })
const db = database.forAccount(accountId)
const owner = new pg.Client({ connectionString: ownerUrl })
await owner.connect()
after(() => owner.end())

const at = (text: string) => ticksOf(Date.parse(text))

const anEntry = (startText: string, programId = 'news'): AsRunEntry => ({
  startTicks: at(startText),
  endTicks: at(startText) + ticksOf(60_000),
  segments: 19,
  program: { id: programId, title: 'News', description: '', startMs: 0, endMs: 0 },
  component: 0,
  type: 'VIDEO',
  referenceId: newId(1),
  title: 'News',
  breakSequence: null,
})

/** The partition of each entry of a channel, in the order of time. */
async function partitionsOf(channelId: string): Promise<readonly string[]> {
  const { rows } = await owner.query<{ partition: string }>(
    'select tableoid::regclass::text as partition from as_run_entries where linear_channel_id = $1 order by start_ticks',
    [channelId],
  )
  return rows.map(({ partition }) => partition.replace('as_run_months.as_run_', ''))
}

async function hasMonth(month: string): Promise<boolean> {
  const { rows } = await owner.query('select to_regclass($1) as partition', [`as_run_months.as_run_${month}`])
  return rows[0].partition !== null
}

const record = (channelId: string, entries: readonly AsRunEntry[]) =>
  db.transaction().execute((tx) => insertAsRun(tx, { accountId, channelId }, entries))

test('an entry is in the partition of its month, also if that is created after it was recorded', async () => {
  const channelId = newId(2)
  const entries = ['2051-01-31T23:59:30Z', '2051-02-01T00:00:00Z', '2051-02-28T23:59:59.999Z'].map((text) =>
    anEntry(text),
  )
  await record(channelId, [anEntry('2026-01-01T00:00:00Z'), ...entries])
  const early = await partitionsOf(channelId)
  const before = await listAsRun(
    db,
    { accountId, channelId },
    at('2051-01-01T00:00:00Z'),
    at('2052-01-01T00:00:00Z'),
    10,
  )

  // A clock that is decades ahead: twelve at a time, by two workers at once.
  const nowMs = Date.parse('2051-01-15T00:00:00Z')
  // On a busy machine one waits for the other longer than it may, and tries again with its next turn.
  const keepMonths = () =>
    keepAsRunMonths(database.platform, nowMs).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.kind.code !== 'database.unavailable') throw error
    })
  for (let turns = 0; turns < 100 && !(await hasMonth('205103')); turns += 1) {
    await Promise.all([keepMonths(), keepMonths()])
  }
  await record(channelId, [anEntry('2051-03-31T00:00:00Z'), anEntry('2051-04-01T00:00:00Z')])

  assert.match(early[0]!, /^until_\d{6}$/)
  assert.deepEqual(early.slice(1), ['other', 'other', 'other'])
  assert.deepEqual(await partitionsOf(channelId), [early[0], '205101', '205102', '205102', '205103', 'other'])
  assert.deepEqual(before, entries)
  const id = { accountId, channelId }
  assert.deepEqual(
    await listAsRun(db, id, at('2051-01-01T00:00:00Z'), at('2051-03-01T00:00:00Z'), 10),
    entries,
  )
  assert.equal(await findAiringStart(db, id, at('2051-02-10T00:00:00Z')), at('2026-01-01T00:00:00Z'))
})

test('a page of the record reads the partition of its month alone', async () => {
  const { rows } = await owner.query<{ 'QUERY PLAN': string }>(
    `explain select * from as_run_entries where account_id = $1 and linear_channel_id = $2
        and start_ticks > ${at('2051-02-01T00:00:00Z')} and start_ticks < ${at('2051-02-02T00:00:00Z')}
      order by start_ticks limit 500`.replaceAll(/\$[12]/g, `'${accountId}'`),
  )
  const scans = rows.map((row) => row['QUERY PLAN']).filter((line) => line.includes('Scan'))

  assert.equal(scans.length, 1, scans.join('\n'))
  assert.match(scans[0]!, /on as_run_205102 /)
})

test('what was recorded before the record had partitions is still there, and later entries find a place', async (t) => {
  const url = await anEmptyDatabase()
  const migrations = await readMigrations()
  await migrate(url, { nowMs: 0, migrations: migrations.filter(({ version }) => version < 29) })
  const superuser = new pg.Client(Object.assign(new URL(url), { username: 'postgres' }).href)
  await superuser.connect()
  t.after(() => superuser.end())
  // The channel of the entries is not needed.
  await superuser.query('set session_replication_role = replica')
  const insert = (startTicks: number) =>
    superuser.query(
      `insert into as_run_entries (account_id, linear_channel_id, start_ticks, end_ticks, segments, component, type, title)
       values ($1, $1, $2, $2, 1, 0, 'SLATE', '')`,
      [accountId, startTicks],
    )
  await insert(at('2026-01-31T00:00:00Z'))
  await insert(at('2061-05-31T23:59:59Z'))

  await migrate(url, { nowMs: 0, migrations })
  await insert(at('2061-06-01T00:00:00Z'))

  const { rows } = await superuser.query<{ partition: string }>(
    'select tableoid::regclass::text as partition from as_run_entries order by start_ticks',
  )
  assert.deepEqual(
    rows.map(({ partition }) => partition),
    ['as_run_months.as_run_until_206106', 'as_run_months.as_run_until_206106', 'as_run_months.as_run_other'],
  )
})
