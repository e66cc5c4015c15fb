import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { listDeadLetters } from './dead-letters.ts'
import type { EnqueueOptions } from './enqueue.ts'
import { JobLost, Permanent } from './job-errors.ts'
import type { JobRun } from './job-handler.ts'
import type { DataOf } from './job-map.ts'
import {
  aJobDatabase,
  aJobWorker,
  asOwner,
  enqueueTest,
  NOW_MS,
  platformJob,
  type TestJobs,
  testJobs,
} from './testing/a-job-worker.ts'

const it = await aJobDatabase()
const { database } = it

// Jobs that the worker of an earlier test released at its end must not run in the next.
beforeEach(() => asOwner(it, (client) => client.query('delete from pgboss.job')))

type Run = JobRun<DataOf<TestJobs['ring']>>

const leave = (name: keyof TestJobs, bell: string, options: EnqueueOptions = platformJob) =>
  database.platform.transaction().execute((tx) => enqueueTest(tx, name, { bell }, options))

const ringIn = (run: Run) =>
  run.finish(async (tx) => void (await sql`insert into rung values (${run.data.bell})`.execute(tx)))

async function timesRung(bell: string): Promise<number> {
  return (await sql`select from rung where bell = ${bell}`.execute(database.platform)).rows.length
}

/** With no slot left to fetch its own job again. */
const full = { jobsAtOnce: 1 }

/** What supervision does with the job of a silent worker. */
async function takeAway(id: string): Promise<void> {
  await asOwner(it, (client) =>
    client.query("update pgboss.job set state = 'retry', start_after = now() where id = $1", [id]),
  )
}

test('a job runs as its account, with its request in every log line', async (t) => {
  const ran = Promise.withResolvers<{ run: Run; account: unknown }>()
  const accountId = randomUUID()
  const { log } = aJobWorker(t, it, {
    ring: async (run) => {
      const { rows } = await sql<{ id: string }>`select current_account() as id`.execute(run.db)
      run.logger.info('the bell is rung')
      ran.resolve({ run, account: rows[0]?.id })
    },
  })

  await database
    .forAccount(accountId)
    .transaction()
    .execute((tx) => enqueueTest(tx, 'ring', { bell: 'a' }, { accountId, requestId: 'req-7' }))
  const { run, account } = await ran.promise

  assert.deepEqual(run.data, { bell: 'a' })
  assert.equal(run.attempt, 1)
  assert.equal(run.nowMs, NOW_MS)
  assert.equal(account, accountId)
  for (const msg of ['the bell is rung', 'job']) {
    const line = await log.find((found) => found['msg'] === msg)
    assert.deepEqual(
      [line['job'], line['job_id'], line['account_id'], line['request_id']],
      ['ring', run.id, accountId, 'req-7'],
    )
  }
})

test('an enqueued job starts at once, not at the next poll', async (t) => {
  const ran = Promise.withResolvers<number>()
  const worker = aJobWorker(t, it, { ring: async () => ran.resolve(performance.now()) }, { pollMs: 600_000 })
  while (
    await worker.ping().then(
      () => false,
      () => true,
    )
  )
    await new Promise(setImmediate)
  const leftMs = performance.now()

  await leave('ring', 'b')

  assert.ok((await ran.promise) - leftMs < 5_000)
})

test('a failed effect also rolls back the completion, and the retry commits both', async (t) => {
  let tries = 0
  const done = Promise.withResolvers<void>()
  aJobWorker(t, it, {
    ring: async (run) => {
      await run.finish(async (tx) => {
        await sql`insert into rung values (${run.data.bell})`.execute(tx)
        tries += 1
        if (tries === 1) throw new Error('the rope broke')
      })
      done.resolve()
    },
  })

  await leave('ring', 'c')
  await done.promise

  assert.equal(tries, 2)
  assert.equal(await timesRung('c'), 1)
})

test('a worker whose job was taken over can neither finish nor fail it, nor write anything', async (t) => {
  const started = Promise.withResolvers<Run>()
  const resume = Promise.withResolvers<void>()
  const first = aJobWorker(
    t,
    it,
    {
      ring: async (run) => {
        started.resolve(run)
        await resume.promise
        await ringIn(run)
      },
    },
    full,
  )
  await leave('ring', 'd')
  const { id } = await started.promise
  await first.ping()

  await takeAway(id)
  const second = Promise.withResolvers<Run>()
  const other = aJobWorker(t, it, {
    ring: async (run) => {
      second.resolve(run)
      // The first one resumes while this one runs the job.
      resume.resolve()
      await first.log.find(({ outcome }) => outcome === 'lost')
      assert.equal(await timesRung('d'), 0)
      await ringIn(run)
    },
  })
  const run = await second.promise
  await other.log.find(({ outcome }) => outcome === 'completed')

  assert.equal(run.id, id)
  assert.equal(run.attempt, 2)
  assert.equal(await timesRung('d'), 1)
  assert.match(first.metrics.print(), /jobs_ended_total\{job="ring",outcome="lost"\} 1/)
})

test('a worker whose job is taken over in the middle of its effect commits no effect', async (t) => {
  const inside = Promise.withResolvers<Run>()
  const resume = Promise.withResolvers<void>()
  const first = aJobWorker(
    t,
    it,
    {
      ring: (run) =>
        run.finish(async (tx) => {
          await sql`insert into rung values (${run.data.bell})`.execute(tx)
          inside.resolve(run)
          await resume.promise
        }),
    },
    full,
  )
  await leave('ring', 'n')
  await takeAway((await inside.promise).id)
  const other = aJobWorker(t, it, {
    ring: async (run) => {
      resume.resolve()
      await first.log.find(({ outcome }) => outcome === 'lost')
      await ringIn(run)
    },
  })

  await other.log.find(({ outcome }) => outcome === 'completed')

  assert.equal(await timesRung('n'), 1)
})

test('a job that was taken away cannot be finished while no worker has it', async (t) => {
  const started = Promise.withResolvers<Run>()
  const resume = Promise.withResolvers<void>()
  const worker = aJobWorker(
    t,
    it,
    {
      ring: async (run) => {
        if (run.attempt > 1) return
        started.resolve(run)
        await resume.promise
        await ringIn(run)
      },
    },
    full,
  )
  await leave('ring', 'o')

  await takeAway((await started.promise).id)
  resume.resolve()
  await worker.log.find(({ outcome }) => outcome === 'lost')

  assert.equal(await timesRung('o'), 0)
})

test('a job that was taken away before its effect starts skips the effect, which may take minutes', async (t) => {
  let effects = 0
  const worker = aJobWorker(
    t,
    it,
    {
      ring: async (run) => {
        if (run.attempt > 1) return
        await takeAway(run.id)
        await run.finish(async () => {
          effects += 1
        })
      },
    },
    full,
  )

  await leave('ring', 'p')
  await worker.log.find(({ outcome }) => outcome === 'lost')

  assert.equal(effects, 0)
})

test('a failure of a worker whose job was taken over is not recorded', async (t) => {
  const started = Promise.withResolvers<Run>()
  const resume = Promise.withResolvers<void>()
  const first = aJobWorker(
    t,
    it,
    {
      ring: async (run) => {
        started.resolve(run)
        await resume.promise
        throw new Permanent('far too late')
      },
    },
    full,
  )
  await leave('ring', 'e')
  await takeAway((await started.promise).id)
  const other = aJobWorker(t, it, {
    ring: async (run) => {
      resume.resolve()
      await first.log.find(({ outcome }) => outcome === 'lost')
      await ringIn(run)
    },
  })

  await other.log.find(({ outcome }) => outcome === 'completed')

  assert.equal(await timesRung('e'), 1)
  assert.deepEqual(await lettersOf('e'), [])
})

test('the next heartbeat aborts a run whose job was taken away', async (t) => {
  const started = Promise.withResolvers<Run>()
  const worker = aJobWorker(t, it, {
    ring: async (run) => {
      if (run.attempt > 1) return
      started.resolve(run)
      await new Promise((resolve) => run.signal.addEventListener('abort', resolve, { once: true }))
      run.signal.throwIfAborted()
    },
  })
  await leave('ring', 'f')
  const run = await started.promise

  await takeAway(run.id)
  await worker.log.find(({ outcome }) => outcome === 'lost')

  assert.ok(run.signal.reason instanceof JobLost)
})

test('a permanent failure becomes a dead letter at once, with its reason', async (t) => {
  const worker = aJobWorker(t, it, {
    ring: async () => {
      throw new Permanent('there is no such bell')
    },
  })

  const id = await leave('ring', 'g')
  await worker.log.find(({ outcome }) => outcome === 'dead')

  const [letter, ...more] = await lettersOf('g')
  assert.deepEqual(more, [])
  assert.equal(letter?.name, 'ring')
  assert.equal(letter?.jobId, id)
  assert.equal(letter?.attempts, 1)
  assert.equal(letter?.reason, 'there is no such bell')
  assert.equal((await worker.log.find(({ level }) => level === 'error'))['msg'], 'job failed permanently')
})

test('a job without attempts left becomes a dead letter', async (t) => {
  const worker = aJobWorker(t, it, {
    try_once: async () => {
      throw new Error('the tower is closed')
    },
  })

  await leave('try_once', 'h')
  await worker.log.find(({ outcome }) => outcome === 'dead')

  assert.equal((await lettersOf('h'))[0]?.reason, 'the tower is closed')
})

test('concurrent jobs are limited in total and by kind', async (t) => {
  const running = { ring: 0, sing: 0 }
  const most = { sing: 0, both: 0 }
  let done = 0
  const all = Promise.withResolvers<void>()
  const play = (name: 'ring' | 'sing') => async (run: Run) => {
    running[name] += 1
    most.sing = Math.max(most.sing, running.sing)
    most.both = Math.max(most.both, running.ring + running.sing)
    await sql`select pg_sleep(0.02)`.execute(run.db)
    running[name] -= 1
    done += 1
    if (done === 24) all.resolve()
  }
  for (let i = 0; i < 12; i += 1) {
    await leave('ring', 'i')
    await leave('sing', 'i')
  }

  aJobWorker(t, it, { ring: play('ring'), sing: play('sing') }, { jobsAtOnce: 3 })
  await all.promise

  assert.deepEqual(most, { sing: 1, both: 3 })
})

test('a worker that stops releases unfinished jobs, which does not count as an attempt', async (t) => {
  const started = Promise.withResolvers<Run>()
  const never = Promise.withResolvers<void>()
  const lateFinish = Promise.withResolvers<unknown>()
  const first = aJobWorker(t, it, {
    try_twice: async (run) => {
      started.resolve(run)
      await never.promise
      lateFinish.resolve(await ringIn(run).catch((error: unknown) => error))
    },
  })
  await leave('try_twice', 'j')
  const { signal } = await started.promise

  const left = await first.stop(10)
  const second = aJobWorker(t, it, {
    try_twice: async (run) => {
      if (run.attempt === 2) throw new Error('the first of its two tries')
      await ringIn(run)
    },
  })
  await second.log.find(({ outcome }) => outcome === 'failed')
  await second.log.find(({ outcome }) => outcome === 'completed')
  never.resolve()

  assert.equal(left, 1)
  assert.ok(signal.aborted)
  assert.ok((await lateFinish.promise) instanceof JobLost)
  assert.equal(await timesRung('j'), 1)
})

test('a worker that stops lets its jobs finish within the grace period', async (t) => {
  const started = Promise.withResolvers<void>()
  const resume = Promise.withResolvers<void>()
  const worker = aJobWorker(t, it, {
    ring: async (run) => {
      started.resolve()
      await resume.promise
      await ringIn(run)
    },
  })
  await leave('ring', 'k')
  await started.promise

  const stopped = worker.stop(60_000)
  resume.resolve()

  assert.equal(await stopped, 0)
  assert.equal(await timesRung('k'), 1)
})

test('a worker that lost its LISTEN connection still finds jobs by polling', async (t) => {
  const ran = Promise.withResolvers<void>()
  const worker = aJobWorker(t, it, { ring: async () => ran.resolve() })
  while (
    await worker.ping().then(
      () => false,
      () => true,
    )
  )
    await new Promise(setImmediate)

  const { rows } = await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and query like 'LISTEN%'`.execute(database.platform)
  await leave('ring', 'l')

  await ran.promise
  assert.equal(rows.length, 1)
})

test('a run that exceeds its limit is aborted and retried', async (t) => {
  const worker = aJobWorker(
    t,
    it,
    {
      ring: async (run) => {
        if (run.attempt > 1) return
        await new Promise((resolve) => run.signal.addEventListener('abort', resolve, { once: true }))
        run.signal.throwIfAborted()
      },
    },
    { jobs: { ...testJobs, ring: { ...testJobs.ring, limitMs: 50 } } },
  )

  await leave('ring', 'm')
  const failed = await worker.log.find(({ outcome }) => outcome === 'failed')
  const done = await worker.log.find(({ outcome }) => outcome === 'completed')

  assert.equal(done['job_id'], failed['job_id'])
  const logged = await worker.log.find(({ msg }) => msg === 'job failed; it will be retried')
  assert.match(JSON.stringify(logged['err']), /the run lasted longer than 50 ms/)
})

async function lettersOf(bell: string) {
  return (await listDeadLetters(database.platform, 100)).filter(({ data }) => data['bell'] === bell)
}

test('no job is taken while the worker is paused', async (t) => {
  let isPaused = true
  const worker = aJobWorker(t, it, { ring: ringIn }, { pollMs: 50, isPaused: () => isPaused })
  await leave('ring', 'paused')
  await new Promise((resolve) => setTimeout(resolve, 500))
  await worker.ping()
  const whilePaused = await timesRung('paused')

  isPaused = false
  const endMs = performance.now() + 20_000
  while ((await timesRung('paused')) === 0 && performance.now() < endMs)
    await new Promise((resolve) => setTimeout(resolve, 20))

  assert.equal(whilePaused, 0)
  assert.equal(await timesRung('paused'), 1)
})

test('a job that finishes during a pause writes its effect after the pause', async (t) => {
  let isPaused = false
  const done = Promise.withResolvers<void>()
  const ring = async (run: Run) => {
    isPaused = true
    done.resolve()
    await ringIn(run)
  }
  aJobWorker(t, it, { ring }, { pollMs: 50, isPaused: () => isPaused })
  await leave('ring', 'set back')
  await done.promise
  const before = await timesRung('set back')
  await new Promise((resolve) => setTimeout(resolve, 300))
  const whilePaused = await timesRung('set back')

  isPaused = false
  const endMs = performance.now() + 20_000
  while ((await timesRung('set back')) === 0 && performance.now() < endMs)
    await new Promise((resolve) => setTimeout(resolve, 20))

  assert.deepEqual([before, whilePaused], [0, 0])
  assert.equal(await timesRung('set back'), 1)
})

/**
 * Leaves jobs of accounts, in this sequence, and returns the accounts in the sequence in which they ran. No job ends before
 * `atLeast` have started: on a slow machine the first would end before the last slot is taken.
 */
async function ranBy(
  t: TestContext,
  name: 'ring' | 'sing',
  accounts: readonly string[],
  { slots, atLeast }: { readonly slots: number; readonly atLeast: number },
) {
  const ids = new Map([...new Set(accounts)].map((account) => [account, randomUUID()]))
  for (const [at, account] of accounts.entries()) {
    await leave(name, `${name} ${at}`, { accountId: ids.get(account)!, requestId: undefined })
  }
  const ran: string[] = []
  const [filled, all] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const run = async ({ accountId, data }: Run) => {
    ran.push([...ids].find(([, id]) => id === accountId)![0])
    if (ran.length === atLeast) filled.resolve()
    if (ran.length === accounts.length) all.resolve()
    await filled.promise
    await new Promise((resolve) => setTimeout(resolve, 5 * Number(data.bell.split(' ')[1])))
  }
  aJobWorker(t, it, { [name]: run }, { pollMs: 50, jobsAtOnce: slots })
  await all.promise
  return ran
}

test('an account with few jobs does not wait for all jobs of another', async (t) => {
  const ran = await ranBy(
    t,
    'sing',
    ['north', 'north', 'north', 'north', 'north', 'south', 'south', 'east'],
    { slots: 4, atLeast: 1 },
  )

  assert.deepEqual(ran, ['north', 'south', 'north', 'south', 'north', 'east', 'north', 'north'])
})

test('slots are distributed over the accounts that have jobs', async (t) => {
  const ran = await ranBy(t, 'ring', ['north', 'north', 'north', 'south', 'east'], {
    slots: 3,
    atLeast: 3,
  })

  assert.deepEqual(ran.slice(0, 3).toSorted(), ['east', 'north', 'south'])
})
