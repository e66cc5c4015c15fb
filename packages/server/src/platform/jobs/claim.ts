import { sql } from 'kysely'
import { fromKysely, type PgBoss } from 'pg-boss'
import { type Db, runTransaction, type Transaction } from '../database/database.ts'
import { settledBy } from './boss.ts'
import { JobLost } from './job-errors.ts'

/**
 * One taking of one job. Whoever takes a job after it was lost or given back
 * counts `retryCount` up, so the number names the attempt: no two workers ever
 * hold the same.
 */
export interface Claim {
  readonly name: string
  readonly id: string
  readonly retryCount: number
}

/**
 * Runs an effect and completes the job in the same transaction.
 *
 * The claim decides at the end, in one statement with the completion. To lock
 * the row first would be as safe, but the lock would hold up the heartbeats of
 * this worker, and, if it stops in the middle, the supervision of all jobs. The
 * look at the beginning only saves work in vain.
 */
export async function completeWith<T>(
  boss: PgBoss,
  db: Db,
  claim: Claim,
  effect: (tx: Transaction) => Promise<T>,
): Promise<T> {
  return runTransaction(db, async (tx) => {
    if (!(await isHeld(tx, claim))) throw new JobLost(claim.id)
    const result = await effect(tx)
    const completed = await boss.complete(claim.name, claim, null, { db: fromKysely(tx) })
    if (settledBy(completed).length === 0) throw new JobLost(claim.id)
    return result
  })
}

async function isHeld(tx: Transaction, { name, id, retryCount }: Claim): Promise<boolean> {
  const { rows } = await sql`
    select from pgboss.job
     where name = ${name} and id = ${id} and state = 'active' and retry_count = ${retryCount}`.execute(tx)
  return rows.length === 1
}

/** Records a failure, after which the job is tried again or is a dead letter. False where the claim was lost. */
export async function fail(boss: PgBoss, claim: Claim, reason: string): Promise<boolean> {
  return settledBy(await boss.fail(claim.name, claim, { reason })).length === 1
}

/** Makes the next failure the last. Should the worker die before it tells of that, its silence is the failure. */
export async function takeRetries(boss: PgBoss, { name, id, retryCount }: Claim): Promise<void> {
  const text = `
    update pgboss.job set retry_limit = retry_count
     where name = $1 and id = $2 and state = 'active' and retry_count = $3`
  await boss.getDb().executeSql(text, [name, id, retryCount])
}

/**
 * Gives the job back, to be taken by anybody at once. It keeps the time of its
 * start, so that taking it counts up; the allowance grows by that one, because
 * nothing has failed.
 */
export async function giveBack(boss: PgBoss, { name, id, retryCount }: Claim): Promise<void> {
  const text = `
    update pgboss.job
       set state = 'retry', retry_limit = retry_limit + 1, start_after = pgboss.job_now(), heartbeat_on = null
     where name = $1 and id = $2 and state = 'active' and retry_count = $3`
  await boss.getDb().executeSql(text, [name, id, retryCount])
}
