import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import type { ClockVerdict } from '@continuity/core/time/clock-verdict'
import { sql } from 'kysely'
import pg from 'pg'
import { aCapturedLog } from '../../http/testing/captured-log.ts'
import { newId } from '../../platform/crypto/ids.ts'
import { aReleasedDatabase } from '../../platform/testing/a-database.ts'
import { addAccounts } from '../../platform/testing/an-account.ts'
import { type ClockReporter, createClockReporter } from './index.ts'

const { database, ownerUrl } = await aReleasedDatabase()
const [onAir, other, offline] = [newId(1), newId(2), newId(3)]
await addAccounts(ownerUrl, { on_air: onAir, other, offline })
const owner = new pg.Client({ connectionString: ownerUrl })
await owner.connect()
after(() => owner.end())
await addChannel(onAir, 'ON_AIR')
await addChannel(onAir, 'PENDING_ON_AIR')
await addChannel(other, 'PENDING_OFFLINE')
await addChannel(offline, 'OFFLINE')

const RIGHT_MS = Date.parse('2026-03-01T18:00:00Z')
const HOUR_MS = 3_600_000
const right: ClockVerdict = { atFault: undefined, offsetMs: 0, mustStop: false }
const hourFast: ClockVerdict = { atFault: 'own', offsetMs: HOUR_MS, mustStop: true }
const databaseWrong: ClockVerdict = { atFault: 'database', offsetMs: 400, mustStop: false }

beforeEach(async () => {
  await owner.query('delete from alerts')
  await owner.query('delete from events')
  await owner.query('delete from clock_faults')
})

test('a wrong process clock opens one alert in every account on air, with the corrected time', async () => {
  const worker = aReporter('worker', 'instance-1', HOUR_MS)

  for (let times = 0; times < 3; times += 1)
    await report(worker, { ...hourFast, offsetMs: HOUR_MS + times * 40 })

  const alerts = await readAlerts()
  assert.deepEqual(alerts.map(({ account }) => account).toSorted(), [onAir, other].toSorted())
  for (const alert of alerts) {
    assert.deepEqual(
      [alert.code, alert.severity, alert.subject_type, alert.subject_id, alert.opened_ms, alert.closed_ms],
      ['clock.process_wrong', 'CRITICAL', 'process', 'instance-1', RIGHT_MS, null],
    )
    assert.match(alert.message, /^The clock of worker instance-1 is 3600\.0 s fast\. /)
  }
  assert.deepEqual(await readEvents(), { 'alert.opened': 2 })
})

test('an offset of a few hundred milliseconds is a warning, and critical when the process must stop', async () => {
  const api = aReporter('api', 'instance-2', -400)
  await report(api, { atFault: 'own', offsetMs: -400, mustStop: false })
  const warned = await readAlerts()

  await report(api, { atFault: 'own', offsetMs: -2_000, mustStop: true })

  assert.deepEqual(new Set(warned.map(({ severity }) => severity)), new Set(['WARNING']))
  assert.match(warned[0]!.message, /^The clock of api instance-2 is 0\.4 s slow\. /)
  const critical = await readAlerts()
  assert.deepEqual([critical.length, critical[0]!.severity], [2, 'CRITICAL'])
  assert.deepEqual(await readEvents(), { 'alert.opened': 2, 'alert.changed': 2 })
})

test('an alert stays open while its fault is reported; afterwards another process closes it', async () => {
  const wrong = aReporter('worker', 'instance-3', HOUR_MS)
  const sound = aReporter('worker', 'instance-4', 0)
  await report(wrong, hourFast)
  await report(sound, right)
  const whileReported = await readAlerts()

  // As if the process had been killed eleven seconds ago.
  await sql`update clock_faults set reported_at = clock_timestamp() - interval '11 seconds'`.execute(
    database.platform,
  )
  await report(sound, right)

  assert.deepEqual(new Set(whileReported.map(({ closed_ms }) => closed_ms)), new Set([null]))
  const closed = await readAlerts()
  assert.deepEqual(
    closed.map(({ closed_ms }) => closed_ms),
    [RIGHT_MS, RIGHT_MS],
  )
  assert.equal((await owner.query('select from clock_faults')).rowCount, 0)
  assert.deepEqual(await readEvents(), { 'alert.opened': 2, 'alert.closed': 2 })
})

test('a fault that returns after its alert was closed opens a new one', async () => {
  const worker = aReporter('worker', 'instance-5', HOUR_MS)
  await report(worker, hourFast)
  await sql`update clock_faults set reported_at = clock_timestamp() - interval '11 seconds'`.execute(
    database.platform,
  )
  await report(aReporter('api', 'instance-6', 0), right)

  await report(worker, hourFast)

  const alerts = await readAlerts()
  assert.equal(alerts.length, 4)
  assert.equal(alerts.filter(({ closed_ms }) => closed_ms === null).length, 2)
})

test('a wrong clock of PostgreSQL is one alert, however many processes report it', async () => {
  for (const instance of ['instance-7', 'instance-8', 'instance-9'])
    await report(aReporter('worker', instance, 0), databaseWrong)

  const alerts = await readAlerts()
  assert.deepEqual(
    alerts.map(({ code, subject_id }) => `${code} ${subject_id}`),
    ['clock.database_wrong postgresql', 'clock.database_wrong postgresql'],
  )
  assert.deepEqual(await readEvents(), { 'alert.opened': 2 })
})

test('an account that starts a channel during a fault gets the alert, and all alerts are closed afterwards', async () => {
  const worker = aReporter('worker', 'instance-10', HOUR_MS)
  await report(worker, hourFast)
  await owner.query(`update linear_channels set status = 'ON_AIR' where account_id = $1`, [offline])
  await owner.query(`update linear_channels set status = 'OFFLINE' where account_id = $1`, [other])
  await report(worker, hourFast)
  const opened = await readAlerts()

  await sql`update clock_faults set reported_at = clock_timestamp() - interval '11 seconds'`.execute(
    database.platform,
  )
  await report(aReporter('worker', 'instance-11', 0), right)

  assert.deepEqual(new Set(opened.map(({ account }) => account)), new Set([onAir, other, offline]))
  assert.equal((await readAlerts()).filter(({ closed_ms }) => closed_ms === null).length, 0)
})

test('accounts on air are found by an index', async () => {
  await owner.query(
    `insert into linear_channels (account_id, linear_channel_id, title, title_folded, description, internal_title,
       status, override_status, created_ms, updated_ms)
     select $1, gen_random_uuid(), 'One', 'one', '', '', 'OFFLINE', 'NOT_STARTED', 0, 0 from generate_series(1, 5000)`,
    [offline],
  )
  await owner.query('analyze linear_channels')
  const { rows } = await owner.query<{ 'QUERY PLAN': string }>(
    `explain select distinct account_id from linear_channels where status <> 'OFFLINE' and deleted_ms is null
      order by account_id limit 1000`,
  )

  assert.match(rows.map((row) => row['QUERY PLAN']).join('\n'), /linear_channels_on_air/)
})

function aReporter(role: 'api' | 'worker', instance: string, aheadMs: number): ClockReporter {
  const { logger } = aCapturedLog()
  return createClockReporter({ role, instance, database, clock: () => RIGHT_MS + aheadMs, logger })
}

async function report(reporter: ClockReporter, verdict: ClockVerdict): Promise<void> {
  reporter.report(verdict)
  await reporter.settled()
}

interface AlertRow {
  readonly account: string
  readonly code: string
  readonly severity: string
  readonly message: string
  readonly subject_type: string
  readonly subject_id: string
  readonly opened_ms: number
  readonly closed_ms: number | null
}

async function readAlerts(): Promise<AlertRow[]> {
  const { rows } = await owner.query<AlertRow>(
    `select account_id as account, code, severity, message, subject_type, subject_id,
            opened_ms::float as opened_ms, closed_ms::float as closed_ms from alerts order by alert_id`,
  )
  return rows
}

async function readEvents(): Promise<Record<string, number>> {
  const { rows } = await owner.query<{ kind: string; n: string }>(
    'select kind, count(*) as n from events group by kind',
  )
  return Object.fromEntries(rows.map(({ kind, n }) => [kind, Number(n)]))
}

async function addChannel(accountId: string, status: string): Promise<void> {
  await owner.query(
    `insert into linear_channels (account_id, linear_channel_id, title, title_folded, description, internal_title,
       status, override_status, created_ms, updated_ms)
     values ($1, $2, 'One', 'one', '', '', $3, 'NOT_STARTED', 0, 0)`,
    [accountId, newId(4), status],
  )
}
