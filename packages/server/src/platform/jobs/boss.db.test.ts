import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBoss } from './boss.ts'
import { freeLostJobs } from './supervision.ts'
import { aJobDatabase, asOwner } from './testing/a-job-worker.ts'

test('the service has the rights for all that supervision does', async (t) => {
  const it = await aJobDatabase(t)
  await asOwner(it, (client) =>
    client.query(`
      insert into pgboss.job (name, state, retry_limit, heartbeat_seconds, heartbeat_on, started_on) values
        ('ring', 'active', 1, 10, now() - interval '1 minute', now() - interval '1 minute');
      insert into pgboss.job (name, state, deletion_seconds, completed_on) values
        ('sing', 'completed', 60, now() - interval '1 hour');
      insert into pgboss.job (name, state, retry_limit, dead_letter, started_on, expire_seconds) values
        ('tidy', 'active', 0, 'dead_letters', now() - interval '1 hour', 60)`),
  )
  const faults: unknown[] = []
  const boss = createBoss(it.serviceUrl)
  boss.on('error', (error) => faults.push(error))
  await boss.start()
  t.after(() => boss.stop({ graceful: false }))

  await boss.supervise()
  await boss.resolveFlow()

  const { rows } = await asOwner(it, (client) =>
    client.query('select name, state::text from pgboss.job order by name, state'),
  )
  assert.deepEqual(rows, [
    { name: 'dead_letters', state: 'created' },
    { name: 'ring', state: 'retry' },
    { name: 'tidy', state: 'failed' },
  ])
  assert.deepEqual(faults, [])
})

test('a job that its workers were killed with is free at once, however often; the last attempt is not', async (t) => {
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
