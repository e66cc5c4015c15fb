import type { PgBoss, QueueResult } from 'pg-boss'
import type { Clock } from '../clock/clock.ts'
import { type Alarm, createAlarm } from '../concurrency/alarm.ts'
import type { Database } from '../database/database.ts'
import { createFaultLog } from '../log/fault-log.ts'
import type { Logger } from '../log/logger.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { createBoss, DEAD_LETTERS, NOTIFY_CHANNEL, SUPERVISE_SECONDS } from './boss.ts'
import { release } from './claim.ts'
import { HEARTBEAT_EVERY_MS, sendHeartbeats } from './heartbeats.ts'
import type { JobHandler, JobHandlers } from './job-handler.ts'
import type { JobMap } from './job-map.ts'
import { type Outcome, runJob } from './run-job.ts'
import type { RunningJob } from './running-job.ts'
import { createSupervision, type WorkerState } from './supervision.ts'
import { takeJobs } from './take-jobs.ts'

export interface JobWorkerOptions<M extends JobMap> {
  readonly jobs: M
  readonly handlers: JobHandlers<M>
  readonly databaseUrl: string
  /** For the handlers. */
  readonly database: Database
  readonly jobsAtOnce: number
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
  /** While true no jobs are fetched; running ones continue. */
  readonly isPaused?: () => boolean
  /** Poll interval without notifications; for tests. */
  readonly pollMs?: number
}

export interface JobWorker {
  /** Rejects while no jobs can be fetched. */
  ping(): Promise<void>
  /** Stops fetching, lets jobs finish within that time and releases the rest. Returns the number of runs still going. */
  stop(graceMs: number): Promise<number>
}

/** Retries and the jobs of dead workers become ready by time alone, without a notification. */
const POLL_MS = 1_000
const RETRY_MS = 1_000
const METRICS_MS = 5_000

/**
 * Fetches jobs and runs them concurrently until it is stopped.
 *
 * Replaces the loop of pg-boss, which has no limit over all queues, fails running jobs when a worker stops, and cannot
 * make a failure final.
 */
export function startJobWorker<M extends JobMap>(options: JobWorkerOptions<M>): JobWorker {
  const { logger } = options
  const boss = createBoss(options.databaseUrl)
  // A job that was lost and fetched again is in it twice, until its first run ends.
  const running = new Set<RunningJob>()
  const lastAccounts = new Map<string, string | null>()
  const runs = new Set<Promise<void>>()
  const alarm = createAlarm()
  const metrics = countJobs(options.metrics, () => running.size)
  const logFault = createFaultLog(logger, 'jobs: queue error; retrying')
  // 'waiting' for a database that was unavailable at the first attempt.
  let state: WorkerState = 'opening'

  boss.on('error', logFault)
  boss.on('warning', ({ message }) => logger.warn({ warning: message }, 'jobs: pg-boss warning'))

  const start = (job: RunningJob) => {
    const { name } = job.claim
    const handler = options.handlers[name] as JobHandler
    const startMs = performance.now()
    running.add(job)
    const run = runJob({ ...options, boss }, job, handler, options.jobs[name]!.limitMs).then((outcome) => {
      metrics.ended(name, outcome, (performance.now() - startMs) / 1_000)
      running.delete(job)
      runs.delete(run)
      alarm.ring()
    })
    runs.add(run)
  }

  const work = async () => {
    const isStopping = () => state === 'stopping'
    const listener = await open(boss, alarm, isStopping, (error) => {
      if (state === 'opening') state = 'waiting'
      logFault(error)
    })
    if (isStopping()) return listener
    state = 'open'
    while (!isStopping()) {
      await takeJobs({
        boss,
        jobs: options.jobs,
        jobsAtOnce: options.jobsAtOnce,
        running,
        lastAccounts,
        start,
        isStopping: () => isStopping() || options.isPaused?.() === true,
      }).catch(logFault)
      await alarm.wait(options.pollMs ?? POLL_MS)
    }
    return listener
  }
  const worked = work()
  const timers = [
    every(HEARTBEAT_EVERY_MS, () => sendHeartbeats(boss, running).catch(logFault)),
    every(
      SUPERVISE_SECONDS * 1_000,
      createSupervision({ boss, state: () => state, log: logFault, now: () => performance.now() }),
    ),
    every(METRICS_MS, async () => {
      if (state === 'open') await boss.getQueues().then(metrics.setQueues, logFault)
    }),
  ]

  return {
    async ping() {
      if (state !== 'open') throw new Error(state)
    },
    async stop(graceMs) {
      state = 'stopping'
      alarm.ring()
      const listener = await worked
      await Promise.race([Promise.all(runs), after(graceMs)])
      await releaseAll(boss, running, logFault)
      for (const timer of timers) clearInterval(timer)
      await listener?.close()
      await boss.stop({ graceful: false })
      return runs.size
    },
  }
}

interface Listener {
  close(): Promise<void>
}

/** Opens the queue once the database is available, and subscribes to it; undefined if the worker is stopped before. */
async function open(
  boss: PgBoss,
  alarm: Alarm,
  isStopping: () => boolean,
  logFault: (error: unknown) => void,
): Promise<Listener | undefined> {
  while (!isStopping()) {
    try {
      await boss.start()
      // Reconnects by itself, and then wakes the loop too. Without LISTEN, polling every second is enough.
      return (
        (await boss.getDb().listen?.(NOTIFY_CHANNEL, alarm.ring, alarm.ring).catch(logFault)) ?? undefined
      )
    } catch (error) {
      logFault(error)
      await alarm.wait(RETRY_MS)
    }
  }
  return undefined
}

async function releaseAll(
  boss: PgBoss,
  running: Iterable<RunningJob>,
  logFault: (error: unknown) => void,
): Promise<void> {
  const left = [...running].filter(({ phase }) => phase !== 'finished')
  for (const job of left) {
    job.phase = 'given_back'
    job.abort.abort(new Error('the worker is stopping'))
  }
  // Concurrently: without the database each would wait for its own timeout.
  await Promise.all(left.map(({ claim }) => release(boss, claim).catch(logFault)))
}

/** Skips a tick while the last run has not ended. */
function every(ms: number, work: () => Promise<void>): NodeJS.Timeout {
  let isBusy = false
  return setInterval(async () => {
    if (isBusy) return
    isBusy = true
    await work()
    isBusy = false
  }, ms)
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}

interface JobMetrics {
  ended(name: string, outcome: Outcome, seconds: number): void
  /** The counts of pg-boss itself; its supervision updates them every few seconds. */
  setQueues(queues: readonly QueueResult[]): void
}

const DURATION_BOUNDS = [0.01, 0.1, 0.5, 1, 5, 15, 60, 300, 900, 3_600]

function countJobs(metrics: Metrics, running: () => number): JobMetrics {
  const ended = metrics.counter('jobs_ended_total', 'Job runs, by outcome.')
  const durations = metrics.histogram('job_duration_seconds', 'Duration of job runs.', DURATION_BOUNDS)
  let waiting = 0
  let dead = 0
  metrics.gauge('jobs_running', 'Jobs running in this process.', running)
  metrics.gauge('jobs_waiting', 'Jobs ready to start, in the whole queue.', () => waiting)
  metrics.gauge('jobs_dead_letters', 'Dead letters not handled yet.', () => dead)
  return {
    ended(name, outcome, seconds) {
      ended.series({ job: name, outcome }).add()
      durations.series({ job: name }).observe(seconds)
    },
    setQueues(queues) {
      const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
      const [letters, others] = [true, false].map((isDead) =>
        queues.filter(({ name }) => (name === DEAD_LETTERS) === isDead),
      )
      waiting = sum(others!.map(({ readyCount }) => readyCount))
      dead = sum(letters!.map(({ queuedCount }) => queuedCount))
    },
  }
}
