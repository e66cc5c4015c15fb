import type pg from 'pg'
import { type Db, PgBoss, type QueueOptions } from 'pg-boss'
import { SERVICE_ROLE } from '../database/migrate.ts'
import { DEAD_LETTERS, HEARTBEAT_SECONDS, SCHEMA } from './boss.ts'
import type { JobKind, JobMap } from './job-map.ts'

const DAY_SECONDS = 86_400

/** The first retry delay is one to two seconds, and each is twice the one before, up to this. */
const LONGEST_PAUSE_SECONDS = 300

/** The worker aborts a run that takes too long; the queue expires it when the worker does not. */
const LIMIT_GRACE_SECONDS = 60

/** The longest that building an index may take after an upgrade of pg-boss. */
const BUILD_MS = 10 * 60_000

/**
 * Migrates the tables of pg-boss and creates a queue for each kind of job. Run by the migrator, as the owner, under its
 * lock and outside of any transaction; workers own and create nothing.
 */
export async function installJobs(client: pg.Client, jobs: JobMap): Promise<void> {
  const db: Db = { executeSql: (text, values) => client.query(text, values) }
  // Ten seconds is the minimum of pg-boss; it builds one index per interval.
  const boss = new PgBoss({ db, schema: SCHEMA, supervise: false, schedule: false, bamIntervalSeconds: 10 })
  const failed = new Promise<never>((_, reject) => boss.on('error', reject))
  try {
    await Promise.race([install(boss, jobs), failed])
  } finally {
    await boss.stop({ graceful: false })
  }
  await client.query(GRANTS)
}

async function install(boss: PgBoss, jobs: JobMap): Promise<void> {
  await boss.start()
  await untilBuilt(boss)
  await installQueue(boss, DEAD_LETTERS, 'standard', { retentionSeconds: 30 * DAY_SECONDS, notify: false })
  for (const [name, kind] of Object.entries(jobs)) {
    await installQueue(boss, name, kind.oneWaiting ? 'short' : 'standard', queueOptionsOf(kind))
  }
}

type Options = QueueOptions & { readonly notify: boolean; readonly deadLetter?: string }

function queueOptionsOf({ retries, limitMs }: JobKind): Options {
  return {
    retryLimit: retries,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: LONGEST_PAUSE_SECONDS,
    expireInSeconds: Math.min(Math.ceil(limitMs / 1_000) + LIMIT_GRACE_SECONDS, DAY_SECONDS),
    heartbeatSeconds: HEARTBEAT_SECONDS,
    // The maximum: a job must not be dropped because it had to wait.
    retentionSeconds: 365 * DAY_SECONDS,
    deleteAfterSeconds: 3_600,
    deadLetter: DEAD_LETTERS,
    notify: true,
  }
}

async function installQueue(boss: PgBoss, name: string, policy: string, options: Options): Promise<void> {
  await boss.createQueue(name, { policy, ...options })
  const queue = await boss.getQueue(name)
  if (queue?.policy !== policy) {
    throw new Error(
      `${name} has the queue policy ${queue?.policy}, which cannot change to ${policy}: use a new name`,
    )
  }
  await boss.updateQueue(name, options)
}

/** An upgrade of pg-boss defers some indexes to its workers; ours may not build them, and the migrator can wait. */
async function untilBuilt(boss: PgBoss): Promise<void> {
  const endMs = performance.now() + BUILD_MS
  for (;;) {
    const open = (await boss.getBamStatus()).filter(({ status }) => status !== 'completed')
    if (open.length === 0) return
    if (performance.now() > endMs) throw new Error(`indexes are still not built: ${JSON.stringify(open)}`)
    await new Promise((resolve) => setTimeout(resolve, 1_000))
  }
}

/** The service role can insert, fetch and end jobs and supervise queues; it can neither create nor drop a queue. */
const GRANTS = `
  revoke all on all tables in schema ${SCHEMA} from ${SERVICE_ROLE};
  revoke execute on all functions in schema ${SCHEMA} from public, ${SERVICE_ROLE};
  grant usage on schema ${SCHEMA} to ${SERVICE_ROLE};
  grant execute on function ${SCHEMA}.job_now() to ${SERVICE_ROLE};
  grant select, insert, update, delete on ${SCHEMA}.job, ${SCHEMA}.job_common to ${SERVICE_ROLE};
  grant select, update on ${SCHEMA}.queue, ${SCHEMA}.version to ${SERVICE_ROLE};
  grant select, delete on ${SCHEMA}.job_dependency to ${SERVICE_ROLE}`
