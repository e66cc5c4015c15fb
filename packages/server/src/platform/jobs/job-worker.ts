import type { PgBoss } from 'pg-boss'
import { type Alarm, createAlarm } from '../alarm.ts'
import type { Clock } from '../clock/clock.ts'
import type { Database } from '../database/database.ts'
import type { Logger } from '../logger.ts'
import type { Metrics } from '../metrics.ts'
import { tellFaults } from '../told-faults.ts'
import { createBoss, NOTIFY_CHANNEL, SUPERVISE_SECONDS } from './boss.ts'
import { giveBack } from './claim.ts'
import { beat, HEARTBEAT_EVERY_MS } from './heartbeats.ts'
import type { HeldJob } from './held-job.ts'
import type { JobHandler, JobHandlers } from './job-handler.ts'
import type { JobMap } from './job-map.ts'
import { countJobs } from './job-metrics.ts'
import { runJob } from './run-job.ts'
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
  /** While it is so no jobs are taken; those that run go on. */
  readonly isPaused?: () => boolean
  /** How often to look where nobody called; for tests. */
  readonly pollMs?: number
}

export interface JobWorker {
  /** Rejects while no jobs can be taken. */
  ping(): Promise<void>
  /** Takes no more, lets what runs end in that time, and gives the rest back. Gives how many runs go on regardless. */
  stop(graceMs: number): Promise<number>
}

/** Retries and the jobs of dead workers become ready by time alone, and then nobody calls. */
const POLL_MS = 1_000
const RETRY_MS = 1_000
const LOOK_MS = 5_000

/**
 * Takes jobs and runs them, some at once, until it is stopped.
 *
 * This is our own loop around pg-boss, where its own knows no bound over all
 * queues, fails what runs when a worker stops, and cannot call a failure final.
 */
export function startJobWorker<M extends JobMap>(options: JobWorkerOptions<M>): JobWorker {
  const { logger } = options
  const boss = createBoss(options.databaseUrl)
  // A job that was lost and taken again is in it twice, for as long as its first run goes on.
  const held = new Set<HeldJob>()
  const runs = new Set<Promise<void>>()
  const alarm = createAlarm()
  const metrics = countJobs(options.metrics, () => held.size)
  const tell = tellFaults(logger, 'the queue of jobs is in trouble')
  // 'waiting' for a database that was not there at the first try.
  let state: WorkerState = 'opening'

  boss.on('error', tell)
  boss.on('warning', ({ message }) => logger.warn({ warning: message }, 'the queue of jobs warns'))

  const start = (job: HeldJob) => {
    const { name } = job.claim
    const handler = options.handlers[name] as JobHandler
    const startMs = performance.now()
    held.add(job)
    const run = runJob({ ...options, boss }, job, handler, options.jobs[name]!.limitMs).then((outcome) => {
      metrics.ended(name, outcome, (performance.now() - startMs) / 1_000)
      held.delete(job)
      runs.delete(run)
      alarm.ring()
    })
    runs.add(run)
  }

  const work = async () => {
    const isStopping = () => state === 'stopping'
    const listener = await open(boss, alarm, isStopping, (error) => {
      if (state === 'opening') state = 'waiting'
      tell(error)
    })
    if (isStopping()) return listener
    state = 'open'
    while (!isStopping()) {
      await takeJobs({
        boss,
        jobs: options.jobs,
        jobsAtOnce: options.jobsAtOnce,
        held,
        start,
        isStopping: () => isStopping() || options.isPaused?.() === true,
      }).catch(tell)
      await alarm.wait(options.pollMs ?? POLL_MS)
    }
    return listener
  }
  const worked = work()
  const timers = [
    every(HEARTBEAT_EVERY_MS, () => beat(boss, held).catch(tell)),
    every(
      SUPERVISE_SECONDS * 1_000,
      createSupervision({ boss, state: () => state, tell, now: () => performance.now() }),
    ),
    every(LOOK_MS, async () => {
      if (state === 'open') await boss.getQueues().then(metrics.saw, tell)
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
      await giveBackAll(boss, held, tell)
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

/** Opens the queue as soon as the database is there, and listens to it; undefined where it was stopped before. */
async function open(
  boss: PgBoss,
  alarm: Alarm,
  isStopping: () => boolean,
  tell: (error: unknown) => void,
): Promise<Listener | undefined> {
  while (!isStopping()) {
    try {
      await boss.start()
      // Reconnects by itself, and then rings too. Where it cannot be had at all, looking every second is enough.
      return (await boss.getDb().listen?.(NOTIFY_CHANNEL, alarm.ring, alarm.ring).catch(tell)) ?? undefined
    } catch (error) {
      tell(error)
      await alarm.wait(RETRY_MS)
    }
  }
  return undefined
}

async function giveBackAll(
  boss: PgBoss,
  held: Iterable<HeldJob>,
  tell: (error: unknown) => void,
): Promise<void> {
  const left = [...held].filter(({ phase }) => phase !== 'finished')
  for (const job of left) {
    job.phase = 'given_back'
    job.abort.abort(new Error('the worker stops'))
  }
  // At once: without the database each would wait for it in turn.
  await Promise.all(left.map(({ claim }) => giveBack(boss, claim).catch(tell)))
}

/** Not again before the last has ended. */
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
