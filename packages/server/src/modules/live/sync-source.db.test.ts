import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { SourceConfig } from '@continuity/core/live/source-config'
import type { SourceReport } from '@continuity/core/live/source-report'
import { jetstream } from '@nats-io/jetstream'
import { sql } from 'kysely'
import { NOW_MS } from '../../http/testing/credentials.ts'
import type { Bus } from '../../platform/bus/bus.ts'
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

/** Packages a video at a path that is its id. */
const aPackage = (videoId: string) =>
  sql`insert into assets (account_id, asset_id, video_id, made_from, state, progress, frame_rate, segment_ms,
                          package_path, duration_ticks, segment_count, created_ms, updated_ms)
      values (${accountId}, ${videoId}, ${videoId}, 'https://media.example/slate.mp4', 'READY', 1, 25, 3200,
              ${videoId}, ${aSlate.durationTicks}, ${aSlate.segmentCount}, ${NOW_MS}, ${NOW_MS})`.execute(db)

/** A source with its own broker, which is synced when the test calls `sync`. */
async function aSyncedSource(t: TestContext, draft: object = {}) {
  const nats = await someNats(t)
  const server = nats.servers[0]!
  const bus = await aConnectedBus(t, server.url)
  await ensureLiveStreams(bus.connection()!, 1)
  const source = await aSource(admin, draft)
  const id = { accountId, sourceId: source.live_source_id }
  const readBrokerMs = async () => Date.now()
  const sync = (nowMs = NOW_MS) =>
    db.transaction().execute((tx) => syncSource(tx, { bus, readBrokerMs }, id, nowMs))
  const command = (what: 'activate' | 'deactivate') => admin.put(`${addressOf(source)}/${what}`)
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
  return { server, bus, source, id, sync, command, read, config, report, lease }
}

const put = (bus: Bus, subject: string, value: object) =>
  jetstream(bus.connection()!).publish(subject, JSON.stringify(value))

const dueIn = async (sourceId: string) => {
  const { rows } = await sql<{ readonly due_ms: number }>`
    select due_ms from due_rows where kind = 'live_source' and subject_id = ${sourceId}`.execute(db)
  return rows[0] && rows[0].due_ms - NOW_MS
}

test('the config for receivers is published, and their reports become the state', async (t) => {
  const { sync, command, read, config, report, id } = await aSyncedSource(t)
  await command('activate')
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

test('the config contains whether to carry over cues, and the slate for their breaks', async (t) => {
  const metadata = (scte_35_source: string) => ({
    metadata: { input_url: 'https://live.example/a.m3u8', scte_35_source },
  })
  const { sync, command, source, config } = await aSyncedSource(t, metadata('MANIFEST'))
  await command('activate')
  await sync()
  assert.deepEqual((await config())?.cues, { slate: null })

  const slateId = await aVideoRow(db, accountId)
  await aPackage(slateId)
  await admin.patch(addressOf(source), { ad_slate: slateId })
  await sync()
  assert.deepEqual((await config())?.cues, { slate: { ...aSlate, path: slateId } })

  await admin.patch(addressOf(source), metadata('API'))
  await sync()
  assert.equal((await config())?.cues, null)
})

test('a source is IDLE once no receiver holds its lease', async (t) => {
  const { sync, command, read, config, report, lease } = await aSyncedSource(t)
  await command('activate')
  await sync()
  await report('receiving')
  await lease('one')
  await sync()
  await command('deactivate')

  await sync()
  assert.equal((await config())!.reception, 'none')
  await sync()
  assert.equal((await read()).status, 'PROCESSING')
  await lease('')
  await sync()
  assert.equal((await read()).status, 'IDLE')
})

test('a source without a receiver is in ERROR after 30 s', async (t) => {
  const { sync, command, read } = await aSyncedSource(t)
  await command('activate')
  await sync()

  await sync(NOW_MS + 30_000)
  assert.equal((await read()).status, 'PROCESSING')
  await sync(NOW_MS + 30_001)

  assert.equal((await read()).status_detail?.code, 'source.no_receiver')
})

test('one good input of two is enough', async (t) => {
  const feature = { enable_redundancy: true, redundancy_source: 'https://b.example/index.m3u8' }
  const { sync, command, read, report, config } = await aSyncedSource(t, { feature })
  await command('activate')
  await sync()
  assert.equal((await config())!.urls.length, 2)
  await report('failed')
  await sync()
  assert.equal((await read()).status, 'PROCESSING')
  await report('receiving', 1)
  await sync()

  assert.equal((await read()).status, 'ACTIVE')
})

test('a deleted source is no longer received', async (t) => {
  const { sync, command, report, config, source, id } = await aSyncedSource(t)
  await command('activate')
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

test('without the bus a sync is retried, and a lost config is published again', async (t) => {
  const { sync, command, server, bus, config, id } = await aSyncedSource(t)
  await command('activate')
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

test('a source with auto switch enqueues a job when its signal appears and when it is lost', async (t) => {
  const { sync, command, report, id, source } = await aSyncedSource(t)
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
  await command('activate')
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

test('black, frozen and silent signals open alerts until they recover or the source is deactivated', async (t) => {
  const { sync, command, report, lease, id } = await aSyncedSource(t)
  const codes = async () =>
    (await alertsOf(id.sourceId)).filter(({ isOpen }) => isOpen).map(({ code }) => code.split('.')[1]!)
  await command('activate')
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
  await command('deactivate')
  for (let i = 0; i < 3; i += 1) await sync()
  assert.deepEqual(await codes(), [])
  const alerts = await alertsOf(id.sourceId)
  assert.deepEqual(alerts.map(({ code }) => code).toSorted(), [
    'live_source.black',
    'live_source.frozen',
    'live_source.silent',
  ])
  assert.deepEqual([...new Set(alerts.map(({ severity }) => severity))], ['WARNING'])
})

test('a lost signal opens an alert until it returns; a signal never received does not', async (t) => {
  const { sync, command, report, read, id } = await aSyncedSource(t)
  await command('activate')
  await sync()
  await report('failed')
  await sync()
  await sync()
  assert.equal((await read()).status, 'ERROR')
  assert.deepEqual(await alertsOf(id.sourceId), [])

  await report('receiving')
  for (let i = 0; i < 3; i += 1) await sync()
  await report('lost')
  for (let i = 0; i < 3; i += 1) await sync()
  const lost = await alertsOf(id.sourceId)
  await report('receiving')
  for (let i = 0; i < 3; i += 1) await sync()
  const returned = await alertsOf(id.sourceId)

  const message = 'The live source Harbour camera has lost its signal. So it is.'
  const alert = { code: 'live_source.signal_lost', severity: 'CRITICAL', message }
  assert.deepEqual(lost, [{ ...alert, isOpen: true }])
  assert.deepEqual(returned, [{ ...alert, isOpen: false }])
})
