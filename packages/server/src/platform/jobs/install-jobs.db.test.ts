import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { aReleasedDatabase } from '../testing/a-database.ts'
import { installJobs } from './install-jobs.ts'
import { job } from './job-map.ts'
import { aJobDatabase, asOwner, testJobs } from './testing/a-job-worker.ts'

const migrated = await aReleasedDatabase()

const queues =
  'select name, policy, retry_limit, expire_seconds, heartbeat_seconds, notify, dead_letter from pgboss.queue order by name'

test('installing again changes nothing', async (t) => {
  const it = await aJobDatabase(t)

  const [before, after] = await asOwner(it, async (client) => {
    const first = await client.query(queues)
    await installJobs(client, testJobs)
    return [first.rows, (await client.query(queues)).rows]
  })

  assert.deepEqual(after, before)
  assert.deepEqual(
    before.find(({ name }) => name === 'tidy'),
    {
      name: 'tidy',
      policy: 'short',
      retry_limit: 10,
      expire_seconds: 960,
      heartbeat_seconds: 10,
      notify: true,
      dead_letter: 'dead_letters',
    },
  )
})

test('a release with other job options updates the queue and keeps its waiting jobs', async (t) => {
  const it = await aJobDatabase(t)
  await asOwner(it, async (client) => {
    await client.query("insert into pgboss.job (name) values ('ring')")

    await installJobs(client, { ring: job({ retries: 2, limitMs: 60_000 }) })

    const { rows } = await client.query(queues.replace('order by name', "where name = 'ring'"))
    assert.equal(rows[0].retry_limit, 2)
    assert.equal(rows[0].expire_seconds, 120)
    assert.equal((await client.query("select from pgboss.job where name = 'ring'")).rowCount, 1)
  })
})

test('a oneWaiting kind cannot become one without', async (t) => {
  const it = await aJobDatabase(t)

  const installed = asOwner(it, (client) => installJobs(client, { tidy: job() }))

  await assert.rejects(installed, /tidy has the queue policy short, which cannot change to standard/)
})

test('the service role can neither create nor drop queues and tables, nor schedule jobs', async (t) => {
  const { database } = await aJobDatabase(t)
  const denied = [
    sql`select pgboss.create_queue('mine', '{}')`,
    sql`select pgboss.delete_queue('ring')`,
    sql`delete from pgboss.queue`,
    sql`insert into pgboss.schedule (name, key, cron) values ('ring', '', '* * * * *')`,
    sql`create table pgboss.mine (id integer)`,
    sql`drop table pgboss.job_common`,
  ]

  for (const statement of denied) {
    await assert.rejects(statement.execute(database.platform), /permission denied|must be owner/)
  }
})

test('a migrated database has a queue for every kind of job', async () => {
  const { rows } = await asOwner(migrated, (client) => client.query(queues))

  assert.ok(rows.some(({ name }) => name === 'forget_expired'))
})
