import { setTimeout } from 'node:timers/promises'
import type { PgBoss } from 'pg-boss'
import type { Clock } from '../clock/clock.ts'
import type { Database } from '../database/database.ts'
import { type Fields, type Logger, PrintedFields } from '../log/logger.ts'
import { completeWith, fail, takeRetries } from './claim.ts'
import { JobLost, Permanent, RunTooLong } from './job-errors.ts'
import type { JobHandler, JobRun } from './job-handler.ts'
import type { RunningJob } from './running-job.ts'

/** While the process may not write, a job that is ready to finish polls this often. */
const PAUSED_MS = 200

export interface RunDeps {
  readonly boss: PgBoss
  readonly database: Database
  readonly clock: Clock
  /** Whether the process may not write, because its clock is wrong. */
  readonly isPaused?: (() => boolean) | undefined
  readonly logger: Logger
}

/** `failed` is retried, `dead` is not; `lost` belongs to another worker; `unsettled` will be found by supervision. */
export type Outcome = 'completed' | 'failed' | 'dead' | 'lost' | 'given_back' | 'unsettled'

/** Runs the handler of a job and records the outcome. Never throws. */
export async function runJob(
  deps: RunDeps,
  job: RunningJob,
  handler: JobHandler,
  limitMs: number,
): Promise<Outcome> {
  const logger = withFields(deps.logger, fieldsOf(job))
  const startMs = performance.now()
  const late = () => job.abort.abort(new RunTooLong(limitMs))
  const timer = globalThis.setTimeout(late, limitMs)
  const outcome = await settle({ ...deps, logger }, job, handler)
  clearTimeout(timer)
  logger.info({ outcome, ms: Math.round(performance.now() - startMs) }, 'job')
  return outcome
}

async function settle(deps: RunDeps, job: RunningJob, handler: JobHandler): Promise<Outcome> {
  try {
    const run = openRun(deps, job)
    await handler(run)
    if (job.phase === 'running') await run.finish(async () => {})
    return 'completed'
  } catch (error) {
    return settleFailure(deps, job, error)
  }
}

function openRun({ boss, database, clock, isPaused, logger }: RunDeps, job: RunningJob): JobRun {
  const { accountId, requestId, data } = job.envelope
  const db = accountId === null ? database.platform : database.forAccount(accountId)
  return {
    id: job.claim.id,
    attempt: job.claim.retryCount + 1,
    isLastTry: job.isLastTry,
    data,
    accountId: accountId ?? undefined,
    requestId: requestId ?? undefined,
    nowMs: clock(),
    db,
    signal: job.abort.signal,
    logger,
    async finish(effect) {
      // The effect is written with the time of its end. Failing here would cost the job an attempt.
      await untilResumed(isPaused, job.abort.signal)
      if (job.phase === 'given_back') throw new JobLost(job.claim.id)
      if (job.phase !== 'running') throw new Error('finish was called twice')
      job.phase = 'finishing'
      try {
        const result = await completeWith(boss, db, job.claim, (tx) => effect(tx, clock()))
        job.phase = 'finished'
        return result
      } finally {
        // The worker may have been stopped meanwhile, and its phase takes precedence.
        if ((job.phase as RunningJob['phase']) === 'finishing') job.phase = 'running'
      }
    },
  }
}

async function untilResumed(isPaused: RunDeps['isPaused'], signal: AbortSignal): Promise<void> {
  for (let isOn = isPaused?.(); isOn === true; isOn = isPaused?.())
    await setTimeout(PAUSED_MS, undefined, { signal })
}

async function settleFailure(deps: RunDeps, job: RunningJob, error: unknown): Promise<Outcome> {
  const { boss, logger } = deps
  if (job.phase === 'finished') {
    logger.error({ err: error }, 'job handler failed after its job was completed')
    return 'completed'
  }
  if (job.phase === 'given_back') return 'given_back'
  if (error instanceof JobLost) {
    logger.warn('job was taken by another worker; this run is discarded')
    return 'lost'
  }
  try {
    const isLast = job.isLastTry || error instanceof Permanent
    if (error instanceof Permanent) await takeRetries(boss, job.claim)
    if (!(await fail(boss, job.claim, reasonOf(error)))) return 'lost'
    if (isLast) logger.error({ err: error }, 'job failed permanently')
    else logger.warn({ err: error }, 'job failed; it will be retried')
    return isLast ? 'dead' : 'failed'
  } catch (cause) {
    // Without the database it cannot be recorded. Its heartbeats end now, and supervision will find it.
    logger.error(
      { err: error, cause: String(cause) },
      'could not record the failure of the job; supervision will retry it',
    )
    return 'unsettled'
  }
}

const REASON_LENGTH = 1_000

const reasonOf = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).slice(0, REASON_LENGTH)

function fieldsOf({ claim, envelope }: RunningJob): Fields {
  return {
    job: claim.name,
    job_id: claim.id,
    attempt: claim.retryCount + 1,
    ...(envelope.accountId === null ? {} : { account_id: envelope.accountId }),
    ...(envelope.requestId === null ? {} : { request_id: envelope.requestId }),
  }
}

function withFields(logger: Logger, own: Fields): Logger {
  const write =
    (level: keyof Logger) =>
    (first: Fields | PrintedFields | string, message = ''): void => {
      if (typeof first === 'string') logger[level](own, first)
      else if (first instanceof PrintedFields) logger[level](first, message)
      else logger[level]({ ...own, ...first }, message)
    }
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
}
