import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { ensureCredentialKeys } from '@continuity/dev/credential-keys'
import { findFreePort } from '@continuity/dev/ports'
import { sql } from 'kysely'
import { newId } from '../platform/crypto/ids.ts'
import { aReleasedDatabase } from '../platform/testing/a-database.ts'
import { addAccounts } from '../platform/testing/an-account.ts'
import { aFolder } from './testing/a-playout-node.ts'

const it = await aReleasedDatabase()
const HOUR_MS = 3_600_000
const WAIT_MS = 30_000
const accountId = newId(0)
await addAccounts(it.ownerUrl, { station: accountId })
await sql`
  insert into linear_channels (account_id, linear_channel_id, title, title_folded, description, internal_title,
    status, override_status, created_ms, updated_ms)
  values (${accountId}, ${newId(0)}, 'One', 'one', '', '', 'ON_AIR', 'NOT_STARTED', 0, 0)`.execute(
  it.database.forAccount(accountId),
)

test('a worker whose clock is an hour off is not ready, starts no work, and opens an alert', async (t) => {
  const startedMs = Date.now()
  const { child, url } = await aProcess(t, 'worker', { CLOCK_SKEW_MS: `${HOUR_MS}` })

  await until(async () => (await openAlerts('worker')).length > 0)
  const [alert, ...others] = await openAlerts('worker')
  const { status, checks } = await readyOf(url)
  // A working worker creates its standing rows at its first sweep, within a second of its start.
  await setTimeout(1_500)
  const dueRows = await sql`select kind from due_rows`.execute(it.database.platform)
  const exited = once(child, 'exit')
  child.kill('SIGTERM')

  assert.equal(status, 503)
  assert.deepEqual([checks['clock']?.ok, checks['postgresql']?.ok], [false, true])
  assert.match(checks['clock']?.error ?? '', /360[01]\.\d s ahead/)
  assert.deepEqual(dueRows.rows, [])
  assert.equal(others.length, 0)
  assert.match(alert!.message, /^The clock of worker [-0-9a-f]{36} is 360[01]\.\d s fast\. /)
  assert.ok(Math.abs(alert!.openedMs - startedMs) < WAIT_MS, 'the alert has the right time')
  assert.deepEqual(await exited, [0, null])
})

test('a worker whose clock is 0.6 s off works, and opens an alert', async (t) => {
  const { url } = await aProcess(t, 'worker', { CLOCK_SKEW_MS: '-600' })

  await until(async () =>
    (await openAlerts('worker')).some(({ message }) => / is 0\.6 s slow\./.test(message)),
  )
  await until(async () => (await readyOf(url)).status === 200)
  await until(
    async () => (await sql`select kind from due_rows`.execute(it.database.platform)).rows.length > 0,
  )
})

test('an API process whose clock is an hour off is not ready, and rejects requests that write with 503', async (t) => {
  const keys = await ensureCredentialKeys(await aFolder(t))
  const { url } = await aProcess(t, 'api', { CLOCK_SKEW_MS: `${-HOUR_MS}`, CREDENTIAL_KEYS_FILE: keys })
  await until(async () => (await openAlerts('api')).length > 0)
  // The alert may be opened before the process listens.
  await until(async () => (await readyOf(url)).status > 0)

  const login = await fetch(`${url}/api/2.1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ account_name: 'station', email: 'a@station.example', password: 'long enough' }),
  })
  const reference = await fetch(`${url}/docs`)
  const { status, checks } = await readyOf(url)

  assert.deepEqual([login.status, login.headers.get('retry-after')], [503, '1'])
  assert.equal(((await login.json()) as { code: string }).code, 'clock.wrong')
  assert.equal(reference.status, 200)
  assert.deepEqual([status, checks['clock']?.ok], [503, false])
  assert.match(
    (await openAlerts('api'))[0]!.message,
    /^The clock of api [-0-9a-f]{36} is 3(600|599)\.\d s slow\. /,
  )
})

/** A process that may never report that it is ready, so its port is chosen before. */
async function aProcess(
  t: TestContext,
  entry: 'api' | 'worker',
  settings: Readonly<Record<string, string>>,
): Promise<{ readonly child: ChildProcess; readonly url: string }> {
  const port = await findFreePort()
  const child = fork(join(import.meta.dirname, `../bin/${entry}.ts`), {
    env: {
      DATABASE_URL: it.serviceUrl,
      // Unavailable, so that PostgreSQL decides alone.
      NATS_URL: 'nats://127.0.0.1:9',
      PORT: `${port}`,
      MEDIA_STORE: '/nowhere',
      DRAIN_GRACE_MS: '0',
      LOG_LEVEL: 'silent',
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  t.after(() => void child.kill('SIGKILL'))
  return { child, url: `http://127.0.0.1:${port}` }
}

interface Ready {
  readonly checks: Readonly<Record<string, { readonly ok: boolean; readonly error?: string }>>
}

async function readyOf(url: string): Promise<Ready & { readonly status: number }> {
  const answer = await fetch(`${url}/readyz`)
  return { ...((await answer.json()) as Ready), status: answer.status }
}

async function openAlerts(role: 'api' | 'worker') {
  const { rows } = await sql<{ message: string; openedMs: number }>`
    select message, opened_ms as "openedMs" from alerts
     where account_id = ${accountId} and code = 'clock.process_wrong' and closed_ms is null
     order by alert_id`.execute(it.database.forAccount(accountId))
  return rows.filter(({ message }) => message.startsWith(`The clock of ${role} `))
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + WAIT_MS
  while (!(await isSo().catch(() => false))) {
    assert.ok(performance.now() < endMs, 'condition not met within 30 s')
    await setTimeout(20)
  }
}
