import { sql } from 'kysely'
import { fromKysely, type PgBoss } from 'pg-boss'
import { type Db, runTransaction, type Transaction } from '../database/database.ts'
import { settledBy } from './boss.ts'
import { JobLost } from './job-errors.ts'

/**
 * One attempt at one job. Fetching a job again, after it was lost or released, increments `retryCount`, so the number
 * identifies the attempt: no two workers have the same.
 */
export interface Claim {
  readonly name: string
  readonly id: string
  readonly retryCount: number
}

/**
 * Runs an effect and completes the job in the same transaction.
 *
 * The claim is checked at the end, in the statement that completes the job. Locking the row first would be as safe, but
 * would block the heartbeats of this worker, and, if it hangs, the supervision of all jobs. The check at the start only
 * saves wasted work.
 */
export async function completeWith<T>(
  boss: PgBoss,
  db: Db,
  claim: Claim,
  effect: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return runTransaction(db, async (tx) => {
    if (!(await isCurrent(tx, claim))) throw new JobLost(claim.id)
    const result = await effect(tx)
    const completed = await boss.complete(claim.name, claim, null, { db: fromKysely(tx) })
    if (settledBy(completed).length === 0) throw new JobLost(claim.id)
    return result
  })
}

async function isCurrent(tx: Transaction, { name, id, retryCount }: Claim): Promise<boolean> {
  const { rows } = await sql`
    select from pgboss.job
     where name = ${name} and id = ${id} and state = 'active' and retry_count = ${retryCount}`.execute(tx)
  return rows.length === 1
}

/** Records a failure; the job is then retried or becomes a dead letter. False where the claim was lost. */
export async function fail(boss: PgBoss, claim: Claim, reason: string): Promise<boolean> {
  return settledBy(await boss.fail(claim.name, claim, { reason })).length === 1
}

/** Makes the next failure the last, even if the worker dies before it can record the failure. */
export async function takeRetries(boss: PgBoss, { name, id, retryCount }: Claim): Promise<void> {
  const text = `
    update pgboss.job set retry_limit = retry_count
     where name = $1 and id = $2 and state = 'active' and retry_count = $3`
  await boss.getDb().executeSql(text, [name, id, retryCount])
}

/**
 * Releases the job for any worker at once. Its start time stays, so that fetching it increments the count; the limit
 * grows by one too, because nothing has failed.
 */
export async function release(boss: PgBoss, { name, id, retryCount }: Claim): Promise<void> {
  const text = `
    update pgboss.job
       set state = 'retry', retry_limit = retry_limit + 1, start_after = pgboss.job_now(), heartbeat_on = null
     where name = $1 and id = $2 and state = 'active' and retry_count = $3`
  await boss.getDb().executeSql(text, [name, id, retryCount])
}
