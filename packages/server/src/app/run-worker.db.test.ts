import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type ClockControl, startClockControl } from '@continuity/dev/clock-control'
import { sql } from 'kysely'
import { openDatabase } from '../platform/database/database.ts'
import { createLog } from '../platform/log/logger.ts'
import { aReleasedDatabase } from '../platform/testing/a-database.ts'

const it = await aReleasedDatabase()
const START_MS = Date.parse('2026-03-01T18:00:00Z')
const HOUR_MS = 3_600_000
const WAIT_MS = 30_000

interface RunningWorker {
  readonly child: ChildProcess
  readonly url: string
  readonly exited: Promise<unknown[]>
}

async function aWorker(t: TestContext, clock: ClockControl): Promise<RunningWorker> {
  const child = fork(join(import.meta.dirname, '../bin/worker.ts'), {
    env: {
      DATABASE_URL: it.serviceUrl,
      // No server listens there: a worker works without NATS.
      NATS_URL: 'nats://127.0.0.1:9',
      PORT: '0',
      MEDIA_STORE: '/nowhere',
      LOG_LEVEL: 'error',
      CLOCK_CONTROL: clock.address,
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const exited = once(child, 'exit')
  t.after(() => void child.kill('SIGKILL'))
  const [message] = (await once(child, 'message')) as [{ ready: true; url: string }]
  return { child, url: message.url, exited }
}

const COMPLETED = /^jobs_ended_total\{job="forget_expired",outcome="completed"\} 2$/m

const metricsOf = async (url: string) => (await fetch(`${url}/metrics`)).text()

/** Polls until the condition holds. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + WAIT_MS
  while (!(await isSo())) {
    assert.ok(performance.now() < endMs, 'condition not met within 30 s')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

async function read<T>(query: ReturnType<typeof sql<T>>): Promise<T | undefined> {
  return (await query.execute(it.database.platform)).rows[0]
}

const isDueAt = (dueMs: number) => async () =>
  (await read(sql<{ due: number }>`select due_ms as due from due_rows where kind = 'forget_expired'`))
    ?.due === dueMs

const areCompleted = (count: number) => async () =>
  (
    await read(sql<{ n: number }>`
    select count(*) as n from pgboss.job where name = 'forget_expired' and state = 'completed'`)
  )?.n === count

test('a worker reports that it is ready, purges expired rows every hour of our clock, and exits on SIGTERM', async (t) => {
  const clock = await startClockControl(START_MS)
  t.after(() => clock.close())
  const { child, url, exited } = await aWorker(t, clock)

  const ready = await fetch(`${url}/readyz`)
  await until(isDueAt(START_MS + HOUR_MS))
  await until(areCompleted(1))
  await clock.steer({ kind: 'advance', byMs: HOUR_MS })
  await until(isDueAt(START_MS + 2 * HOUR_MS))
  await until(areCompleted(2))
  await until(async () => COMPLETED.test(await metricsOf(url)))
  const metrics = await metricsOf(url)
  child.kill('SIGTERM')

  assert.equal(ready.status, 200)
  const { checks } = (await ready.json()) as { checks: Record<string, { ok: boolean }> }
  assert.deepEqual([checks['postgresql']?.ok, checks['schema']?.ok, checks['jobs']?.ok], [true, true, true])
  assert.equal(checks['nats']?.ok, false)
  assert.match(metrics, /^jobs_dead_letters 0$/m)
  assert.deepEqual(await exited, [0, null])
})

test('the feed update of a channel does not wait for plans that fell due before it and do not end', async (t) => {
  const clock = await startClockControl(START_MS)
  t.after(() => clock.close())
  const { logger } = createLog({ level: 'silent', process: 'test', instance: 'test' })
  const owner = openDatabase(it.ownerUrl, { connections: 1, logger, patience: 10 })
  t.after(() => owner.close())
  const leftOf = async (kind: string) =>
    (await read(sql<{ n: number }>`select count(*)::int as n from due_rows where kind = ${kind}`))!.n
  const add = (kind: string, count: number, dueMs: number) =>
    sql`insert into due_rows (kind, subject_id, account_id, due_ms)
        select ${kind}, gen_random_uuid()::text, gen_random_uuid(), ${dueMs} from generate_series(1, ${count})`.execute(
      it.database.platform,
    )
  await add('plan_channel', PLANS, START_MS - 2)
  await add('publish_feed', 1, START_MS - 1)

  const left = await owner.platform.transaction().execute(async (tx) => {
    await sql`lock table linear_channels`.execute(tx)
    await aWorker(t, clock)
    await until(async () => (await leftOf('publish_feed')) === 0)
    return leftOf('plan_channel')
  })

  assert.equal(left, PLANS)
})

/** Four are handled at once, and each fails after 4 s without its lock: the last begin after 40 s. */
const PLANS = 40
