import { setTimeout } from 'node:timers/promises'
import type { PgBoss } from 'pg-boss'
import type { Clock } from '../clock/clock.ts'
import type { Database } from '../database/database.ts'
import { type Fields, type Logger, PrintedFields } from '../logger.ts'
import { completeWith, fail, takeRetries } from './claim.ts'
import type { HeldJob } from './held-job.ts'
import { JobLost, Permanent, RunTooLong } from './job-errors.ts'
import type { JobHandler, JobRun } from './job-handler.ts'

/** While a process may not write, a job that has done its work waits this long between two looks. */
const PAUSED_MS = 200

export interface RunDeps {
  readonly boss: PgBoss
  readonly database: Database
  readonly clock: Clock
  /** Whether the process may not write, because its clock is wrong. */
  readonly isPaused?: (() => boolean) | undefined
  readonly logger: Logger
}

/** `failed` is tried again, `dead` is not; `lost` was another worker's by then; `unsettled` will be found silent. */
export type Outcome = 'completed' | 'failed' | 'dead' | 'lost' | 'given_back' | 'unsettled'

/** Runs a job through its handler to its end, whatever that is, and never throws. */
export async function runJob(
  deps: RunDeps,
  held: HeldJob,
  handler: JobHandler,
  limitMs: number,
): Promise<Outcome> {
  const logger = withFields(deps.logger, fieldsOf(held))
  const startMs = performance.now()
  const late = () => held.abort.abort(new RunTooLong(limitMs))
  const timer = globalThis.setTimeout(late, limitMs)
  const outcome = await settle({ ...deps, logger }, held, handler)
  clearTimeout(timer)
  logger.info({ outcome, ms: Math.round(performance.now() - startMs) }, 'job')
  return outcome
}

async function settle(deps: RunDeps, held: HeldJob, handler: JobHandler): Promise<Outcome> {
  try {
    const run = openRun(deps, held)
    await handler(run)
    if (held.phase === 'running') await run.finish(async () => {})
    return 'completed'
  } catch (error) {
    return settleFailure(deps, held, error)
  }
}

function openRun({ boss, database, clock, isPaused, logger }: RunDeps, held: HeldJob): JobRun {
  const { accountId, requestId, data } = held.envelope
  const db = accountId === null ? database.platform : database.forAccount(accountId)
  return {
    id: held.claim.id,
    attempt: held.claim.retryCount + 1,
    isLastTry: held.isLastTry,
    data,
    accountId: accountId ?? undefined,
    requestId: requestId ?? undefined,
    nowMs: clock(),
    db,
    signal: held.abort.signal,
    logger,
    async finish(effect) {
      // The effect is written with the time of its end. Failing here would cost the job one of its tries.
      await untilResumed(isPaused, held.abort.signal)
      if (held.phase === 'given_back') throw new JobLost(held.claim.id)
      if (held.phase !== 'running') throw new Error('a job is finished once')
      held.phase = 'finishing'
      try {
        const result = await completeWith(boss, db, held.claim, (tx) => effect(tx, clock()))
        held.phase = 'finished'
        return result
      } finally {
        // The end of the worker may have come in between, and has the last word.
        if ((held.phase as HeldJob['phase']) === 'finishing') held.phase = 'running'
      }
    },
  }
}

async function untilResumed(isPaused: RunDeps['isPaused'], signal: AbortSignal): Promise<void> {
  for (let isOn = isPaused?.(); isOn === true; isOn = isPaused?.())
    await setTimeout(PAUSED_MS, undefined, { signal })
}

async function settleFailure(deps: RunDeps, held: HeldJob, error: unknown): Promise<Outcome> {
  const { boss, logger } = deps
  if (held.phase === 'finished') {
    logger.error({ err: error }, 'a handler failed after its job was finished')
    return 'completed'
  }
  if (held.phase === 'given_back') return 'given_back'
  if (error instanceof JobLost) {
    logger.warn('the job was lost to another worker; nothing of this run was kept')
    return 'lost'
  }
  try {
    const isLast = held.isLastTry || error instanceof Permanent
    if (error instanceof Permanent) await takeRetries(boss, held.claim)
    if (!(await fail(boss, held.claim, reasonOf(error)))) return 'lost'
    if (isLast) logger.error({ err: error }, 'a job failed for good')
    else logger.warn({ err: error }, 'a job failed and will be tried again')
    return isLast ? 'dead' : 'failed'
  } catch (cause) {
    // Without the database it cannot be recorded. The heartbeats end now, and so it will be.
    logger.error({ err: error, cause: String(cause) }, 'the failure of a job could not be recorded')
    return 'unsettled'
  }
}

const REASON_LENGTH = 1_000

const reasonOf = (error: unknown) =>
  (error instanceof Error ? error.message : String(error)).slice(0, REASON_LENGTH)

function fieldsOf({ claim, envelope }: HeldJob): Fields {
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
