import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { SourceConfig } from '@continuity/core/live/source-config'
import type { SourceReport } from '@continuity/core/live/source-report'
import { jetstream } from '@nats-io/jetstream'
import { sql } from 'kysely'
import { NOW_MS } from '../../http/testing/credentials.ts'
import type { Bus } from '../../platform/bus.ts'
import type { Db } from '../../platform/database/database.ts'
import { aConnectedBus, someNats, until } from '../../platform/feed/testing/a-feed-system.ts'
import {
  configSubject,
  ensureLiveStreams,
  LIVE_STREAM,
  leaseSubject,
  reportSubject,
} from '../../platform/live-bus/live-streams.ts'
import { readLast } from '../../platform/live-bus/publish-after.ts'
import { aVideoRow } from '../catalog/testing/a-video-row.ts'
import { syncSource } from './sync-source.ts'
import { addressOf, aLiveApi, aSource } from './testing/a-live-api.ts'
import type { WireSource } from './wire.ts'

const { admin, accountId, db, database } = await aLiveApi()

const aSlate = { segmentTicks: 288_000, segmentCount: 3, durationTicks: 864_000 }

/** A broker of its own, and a worker that looks at a source when the test says so. */
async function aSyncedSource(t: TestContext, draft: object = {}) {
  const nats = await someNats(t)
  const server = nats.servers[0]!
  const bus = await aConnectedBus(t, server.url)
  await ensureLiveStreams(bus.connection()!, 1)
  const source = await aSource(admin, draft)
  const id = { accountId, sourceId: source.live_source_id }
  const readBrokerMs = async () => Date.now()
  const findInSlots = async (_db: Db, _accountId: string, videoId: string) => ({ ...aSlate, path: videoId })
  const sync = (nowMs = NOW_MS) =>
    db.transaction().execute((tx) => syncSource(tx, { bus, readBrokerMs, findInSlots }, id, nowMs))
  const order = (what: 'activate' | 'deactivate') => admin.put(`${addressOf(source)}/${what}`)
  const read = async () => (await admin.get<WireSource>(addressOf(source))).json()
  const config = async () => {
    const message = await readLast(bus, LIVE_STREAM, configSubject(id.sourceId))
    return message?.json<SourceConfig>()
  }
  const report = async (
    condition: SourceReport['condition'],
    input: 0 | 1 = 0,
    more: Partial<SourceReport> = {},
  ) => {
    const { generation } = (await config())!
    const text = {
      generation,
      condition,
      code: `source.${condition}`,
      message: 'So it is.',
      atMs: 5,
      ...more,
    }
    await put(bus, reportSubject({ ...id, input }), text)
  }
  const lease = (holder: string) => put(bus, leaseSubject({ ...id, input: 0 }), { holder, token: 1 })
  return { server, bus, source, id, sync, order, read, config, report, lease }
}

const put = (bus: Bus, subject: string, value: object) =>
  jetstream(bus.connection()!).publish(subject, JSON.stringify(value))

const dueIn = async (sourceId: string) => {
  const { rows } = await sql<{ readonly due_ms: number }>`
    select due_ms from due_rows where kind = 'live_source' and subject_id = ${sourceId}`.execute(db)
  return rows[0] && rows[0].due_ms - NOW_MS
}

test('what receivers should do is published, and what they report becomes the state', async (t) => {
  const { sync, order, read, config, report, id } = await aSyncedSource(t)
  await order('activate')
  await sync()
  const first = (await config())!
  assert.deepEqual([first.reception, first.urls.length], ['receive', 1])
  assert.equal(await dueIn(id.sourceId), 0)
  await sync()
  assert.equal(await dueIn(id.sourceId), 1_000)

  await report('receiving')
  await sync()
  assert.equal((await read()).status, 'ACTIVE')
  await sync()
  assert.equal(await dueIn(id.sourceId), 30_000)
  assert.deepEqual(await config(), first, 'validation changes nothing for its receiver')

  await report('lost')
  await sync()
  const lost = await read()
  assert.deepEqual([lost.status, lost.status_detail?.code], ['ERROR', 'source.lost'])
  await sync()
  assert.equal((await config())!.reception, 'watch')
})

test('receivers are told of the cues to carry over, and of the slate to show in their breaks', async (t) => {
  const metadata = (scte_35_source: string) => ({
    metadata: { input_url: 'https://live.example/a.m3u8', scte_35_source },
  })
  const { sync, order, source, config } = await aSyncedSource(t, metadata('MANIFEST'))
  await order('activate')
  await sync()
  assert.deepEqual((await config())?.cues, { slate: null })

  const slateId = await aVideoRow(db, accountId)
  await admin.patch(addressOf(source), { ad_slate: slateId })
  await sync()
  assert.deepEqual((await config())?.cues, { slate: { ...aSlate, path: slateId } })

  await admin.patch(addressOf(source), metadata('API'))
  await sync()
  assert.equal((await config())?.cues, null)
})

test('a source is IDLE once no receiver holds it', async (t) => {
  const { sync, order, read, config, report, lease } = await aSyncedSource(t)
  await order('activate')
  await sync()
  await report('receiving')
  await lease('one')
  await sync()
  await order('deactivate')

  await sync()
  assert.equal((await config())!.reception, 'none')
  await sync()
  assert.equal((await read()).status, 'PROCESSING')
  await lease('')
  await sync()
  assert.equal((await read()).status, 'IDLE')
})

test('a source that no receiver takes is in ERROR after 30 s', async (t) => {
  const { sync, order, read } = await aSyncedSource(t)
  await order('activate')
  await sync()

  await sync(NOW_MS + 30_000)
  assert.equal((await read()).status, 'PROCESSING')
  await sync(NOW_MS + 30_001)

  assert.equal((await read()).status_detail?.code, 'source.no_receiver')
})

test('one good input of two is enough', async (t) => {
  const feature = { enable_redundancy: true, redundancy_source: 'https://b.example/index.m3u8' }
  const { sync, order, read, report, config } = await aSyncedSource(t, { feature })
  await order('activate')
  await sync()
  assert.equal((await config())!.urls.length, 2)
  await report('failed')
  await sync()
  assert.equal((await read()).status, 'PROCESSING')
  await report('receiving', 1)
  await sync()

  assert.equal((await read()).status, 'ACTIVE')
})

test('a deleted source is received no longer', async (t) => {
  const { sync, order, report, config, source, id } = await aSyncedSource(t)
  await order('activate')
  await sync()
  await report('failed')
  await sync()
  await sync()
  assert.equal((await config())!.reception, 'watch')
  const found = await admin.get(addressOf(source))
  await admin.delete(addressOf(source), { 'if-match': String(found.headers['etag']) })
  await sync()

  assert.equal((await config())!.reception, 'none')
  assert.equal(await dueIn(id.sourceId), 0)
})

test('without the bus a source is looked at again, and what the bus lost is published again', async (t) => {
  const { sync, order, server, bus, config, id } = await aSyncedSource(t)
  await order('activate')
  await sync()
  const before = await config()
  await server.kill()
  await until(() => bus.connection() === undefined)
  await sync()
  assert.equal(await dueIn(id.sourceId), 1_000)

  await server.deleteStore()
  await server.start()
  await until(() => bus.connection() !== undefined)
  assert.equal(await ensureLiveStreams(bus.connection()!, 1), 2)
  assert.equal(await config(), undefined)
  await sync()

  assert.deepEqual(await config(), before)
})

test('a source whose channels follow its signal leaves a job when that appears, and when it has gone', async (t) => {
  const { sync, order, report, id, source } = await aSyncedSource(t)
  await sql`
    update live_sources set enable_auto_live_switch_on_signal = true, auto_switch_channel_ids = ${[id.sourceId]}::uuid[]
     where live_source_id = ${id.sourceId}`.execute(db)
  const jobs = async () => {
    const { rows } = await sql<{ readonly signal: string }>`
      select data -> 'data' ->> 'signal' as signal from pgboss.job
       where name = 'auto_switch' and data::text like ${`%${source.live_source_id}%`}
       order by created_on`.execute(database.platform)
    return rows.map(({ signal }) => signal)
  }
  await order('activate')
  await sync()
  await sync()
  assert.deepEqual(await jobs(), [])
  await report('receiving')
  await sync()
  assert.deepEqual(await jobs(), ['on'])
  await sync()
  await report('lost')
  await sync()
  assert.deepEqual(await jobs(), ['on', 'off'])
})

const alertsOf = async (sourceId: string) => {
  const { rows } = await sql<{ code: string; severity: string; message: string; isOpen: boolean }>`
    select code, severity, message, closed_ms is null as "isOpen" from alerts
     where subject_type = 'live_source' and subject_id = ${sourceId} order by alert_id`.execute(db)
  return rows
}

test('what is the matter with a signal is an alert until it is good again or the source is deactivated', async (t) => {
  const { sync, order, report, lease, id } = await aSyncedSource(t)
  const codes = async () =>
    (await alertsOf(id.sourceId)).filter(({ isOpen }) => isOpen).map(({ code }) => code.split('.')[1]!)
  await order('activate')
  await sync()
  await report('receiving', 0, { troubles: ['black', 'silent'] })
  await sync()
  assert.deepEqual(await codes(), [], 'it is being validated')
  await sync()
  await sync()
  assert.deepEqual((await codes()).toSorted(), ['black', 'silent'])

  await report('receiving', 0, { troubles: ['silent', 'frozen'] })
  await sync()
  assert.deepEqual((await codes()).toSorted(), ['frozen', 'silent'])

  await lease('')
  await order('deactivate')
  for (let look = 0; look < 3; look += 1) await sync()
  assert.deepEqual(await codes(), [])
  const alerts = await alertsOf(id.sourceId)
  assert.deepEqual(alerts.map(({ code }) => code).toSorted(), [
    'live_source.black',
    'live_source.frozen',
    'live_source.silent',
  ])
  assert.deepEqual([...new Set(alerts.map(({ severity }) => severity))], ['WARNING'])
})

test('a lost signal is an alert until it returns; one that never was there is none', async (t) => {
  const { sync, order, report, read, id } = await aSyncedSource(t)
  await order('activate')
  await sync()
  await report('failed')
  await sync()
  await sync()
  assert.equal((await read()).status, 'ERROR')
  assert.deepEqual(await alertsOf(id.sourceId), [])

  await report('receiving')
  for (let look = 0; look < 3; look += 1) await sync()
  await report('lost')
  for (let look = 0; look < 3; look += 1) await sync()
  const lost = await alertsOf(id.sourceId)
  await report('receiving')
  for (let look = 0; look < 3; look += 1) await sync()
  const returned = await alertsOf(id.sourceId)

  const message = 'The live source Harbour camera has lost its signal. So it is.'
  const alert = { code: 'live_source.signal_lost', severity: 'CRITICAL', message }
  assert.deepEqual(lost, [{ ...alert, isOpen: true }])
  assert.deepEqual(returned, [{ ...alert, isOpen: false }])
})
