import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBoss } from './boss.ts'
import { freeLostJobs } from './supervision.ts'
import { aJobDatabase, asOwner } from './testing/a-job-worker.ts'

test('a job whose workers were killed is freed at once each time, except in its last attempt', async (t) => {
  const it = await aJobDatabase(t)
  await asOwner(it, (client) =>
    client.query(`
      insert into pgboss.job (name, state, retry_limit, retry_count, retry_backoff, heartbeat_seconds, heartbeat_on, started_on)
      select 'ring', 'active', 9, tries, true, 10, now() - silent * interval '1s', now() - interval '1 minute'
        from (values (8, 11), (8, 2), (9, 11)) as held (tries, silent)`),
  )
  const boss = createBoss(it.serviceUrl)
  await boss.start()
  t.after(() => boss.stop({ graceful: false }))

  await freeLostJobs(boss)

  const { rows } = await asOwner(it, (client) =>
    client.query(
      'select retry_count as tries, state::text, start_after <= now() as free from pgboss.job order by 1, 2',
    ),
  )
  assert.deepEqual(rows, [
    { tries: 8, state: 'active', free: true },
    { tries: 8, state: 'retry', free: true },
    { tries: 9, state: 'active', free: true },
  ])
})

test('a job whose worker was lost in its last attempt becomes a dead letter and is not run again', async (t) => {
  const it = await aJobDatabase(t)
  await asOwner(it, (client) =>
    client.query(`
      insert into pgboss.job
        (name, state, retry_limit, retry_count, dead_letter, heartbeat_seconds, heartbeat_on, started_on)
      values ('ring', 'active', 9, 9, 'dead_letters', 10, now() - interval '11 s', now() - interval '1 minute')`),
  )
  const boss = createBoss(it.serviceUrl)
  await boss.start()
  t.after(() => boss.stop({ graceful: false }))

  await freeLostJobs(boss)
  await boss.supervise()

  const { rows } = await asOwner(it, (client) =>
    client.query('select name, state::text, retry_count as tries from pgboss.job order by name'),
  )
  assert.deepEqual(rows, [
    { name: 'dead_letters', state: 'created', tries: 0 },
    { name: 'ring', state: 'failed', tries: 9 },
  ])
})
