import { startTestPostgres } from '@continuity/dev/test-postgres'
import { sql } from 'kysely'
import pg from 'pg'
import { openDatabase } from '../../packages/server/src/platform/database/database.ts'
import { installJobs } from '../../packages/server/src/platform/jobs/install-jobs.ts'
import { createLog } from '../../packages/server/src/platform/log/logger.ts'
import { enqueueProof, type ProofJob, proofJobs } from './proof-jobs.ts'

export interface JobSystem {
  readonly databaseUrl: string
  /** Enqueues a job in a transaction, which is then committed or rolled back. */
  enqueue(name: ProofJob, effect: string, end?: 'commit' | 'rollback'): Promise<void>
  /** How often the effect happened. */
  timesOf(effect: string): Promise<number>
  /** The states of its jobs. */
  statesOf(effect: string): Promise<string[]>
}

/** A PostgreSQL with the queues of the proof. Stopped when `opened` is disposed. */
export async function startJobSystem(opened: AsyncDisposableStack): Promise<JobSystem> {
  const postgres = opened.use(await startTestPostgres())
  await prepare(postgres.templateUrl)
  const { logger } = createLog({ level: 'error', process: 'proof', instance: 'proof' })
  const database = openDatabase(postgres.serviceUrl, { connections: 10, logger })
  opened.defer(() => database.close())
  const db = database.platform
  return {
    databaseUrl: postgres.serviceUrl,
    async enqueue(name, effect, end = 'commit') {
      const work = db.transaction().execute(async (tx) => {
        await enqueueProof(tx, name, { effect }, { accountId: undefined, requestId: undefined })
        if (end === 'rollback') throw new RolledBack()
      })
      await work.catch((error: unknown) => {
        if (!(error instanceof RolledBack)) throw error
      })
    },
    async timesOf(effect) {
      const { rows } = await sql<{ times: number }>`
        select times from effects where effect = ${effect}`.execute(db)
      return rows[0]?.times ?? 0
    },
    async statesOf(effect) {
      const { rows } = await sql<{ state: string }>`
        select state from pgboss.job where data #>> '{data,effect}' = ${effect}`.execute(db)
      return rows.map(({ state }) => state)
    },
  }
}

class RolledBack extends Error {}

async function prepare(ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  await installJobs(client, proofJobs)
  await client.query(`
    create table effects (effect text primary key, times integer not null);
    grant select, insert, update on effects to continuity_service`)
  await client.end()
}
