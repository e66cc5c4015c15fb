import type { PgBoss } from 'pg-boss'
import type { JobEnvelope } from './enqueue.ts'
import type { JobMap } from './job-map.ts'
import { type RunningJob, toRunningJob } from './running-job.ts'

export interface TakeOptions {
  readonly boss: PgBoss
  readonly jobs: JobMap
  readonly jobsAtOnce: number
  /** The running jobs. */
  readonly running: ReadonlySet<RunningJob>
  /** The account of the last job of each kind. */
  readonly lastAccounts: Map<string, string | null>
  /** Adds the job to the running ones before it returns. */
  start(job: RunningJob): void
  isStopping(): boolean
}

/** Fetches jobs until there are none left or no slot is free. */
export async function takeJobs(options: TakeOptions): Promise<void> {
  while (!options.isStopping()) {
    const names = namesWithFreeSlots(options)
    if (names.length === 0) return
    const ready = await findReady(options.boss, names)
    if (!(await takeFrom(options, ready))) return
  }
}

/** One round over the queues that have jobs: each gets its share of the free slots, so that none is starved. */
async function takeFrom(options: TakeOptions, names: readonly string[]): Promise<boolean> {
  let taken = 0
  for (const [index, name] of names.entries()) {
    const free = options.jobsAtOnce - options.running.size
    const share = Math.ceil(free / (names.length - index))
    for (
      let left = Math.min(share, freeSlotsOf(options, name));
      left > 0 && !options.isStopping();
      left -= 1
    ) {
      const job = await fetchNext(options, name)
      if (job === undefined) break
      options.start(toRunningJob(job))
      taken += 1
    }
  }
  // Nothing although jobs were ready: other workers were faster, and get the next notification themselves.
  return taken > 0
}

/**
 * The next job of a kind, of an account that has none running here and did not have the last one; of any account where
 * there is no other. So a job waits for the jobs of other accounts that are running, not for all that were enqueued
 * before it.
 */
async function fetchNext(options: TakeOptions, name: string) {
  const { boss, lastAccounts } = options
  const served = [
    lastAccounts.get(name),
    ...runningOf(options, name).map(({ envelope }) => envelope.accountId),
  ]
  const ignoreGroups = [...new Set(served)].filter((it) => it !== null && it !== undefined)
  const fetch = async (ignored: string[]) => {
    const one = { batchSize: 1, includeMetadata: true, ignoreGroups: ignored } as const
    return (await boss.fetch<JobEnvelope>(name, one))[0]
  }
  const job = (ignoreGroups.length === 0 ? undefined : await fetch(ignoreGroups)) ?? (await fetch([]))
  if (job !== undefined) lastAccounts.set(name, job.data.accountId)
  return job
}

function namesWithFreeSlots(options: TakeOptions): string[] {
  if (options.running.size >= options.jobsAtOnce) return []
  return Object.keys(options.jobs).filter((name) => freeSlotsOf(options, name) > 0)
}

const freeSlotsOf = (options: TakeOptions, name: string): number =>
  options.jobs[name]!.atOnce - runningOf(options, name).length

const runningOf = ({ running }: TakeOptions, name: string): readonly RunningJob[] =>
  [...running].filter(({ claim }) => claim.name === name)

/**
 * The queues that have a job ready to start: one statement for all of them, with one index lookup each. The order is
 * that of the index; without it PostgreSQL scanned the whole table (143 ms for 100,000 waiting jobs, 0.3 ms with it).
 */
async function findReady(boss: PgBoss, names: readonly string[]): Promise<string[]> {
  const text = `
    select queue
      from unnest($1::text[]) as queue,
           lateral (select from pgboss.job_common
                     where name = queue and state < 'active' and not blocked
                       and start_after <= pgboss.job_now()
                     order by priority desc, created_on limit 1) as ready
     order by random()`
  const { rows } = await boss.getDb().executeSql(text, [names])
  return rows.map(({ queue }: { queue: string }) => queue)
}
