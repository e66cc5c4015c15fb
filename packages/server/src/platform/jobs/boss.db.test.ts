import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createBoss } from './boss.ts'
import { aJobDatabase, asOwner } from './testing/a-job-worker.ts'

test('the service role has all grants that supervision needs', async (t) => {
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
