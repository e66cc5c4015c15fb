import { EventEmitter, once } from 'node:events'
import { sql } from 'kysely'
import { openDatabase } from '../../packages/server/src/platform/database/database.ts'
import type { JobHandler } from '../../packages/server/src/platform/jobs/job-handler.ts'
import { startJobWorker } from '../../packages/server/src/platform/jobs/job-worker.ts'
import { createLog } from '../../packages/server/src/platform/log/logger.ts'
import { createMetrics } from '../../packages/server/src/platform/metrics/metrics.ts'
import { type ProofJob, proofJobs, type Resume, type WorkerMessage } from './proof-jobs.ts'

/** A worker process of the proof. It runs jobs of one kind, and reports their progress to its parent. */
const databaseUrl = process.env['DATABASE_URL']!
const name = process.env['JOB'] as ProofJob

const { logger } = createLog({ level: 'warn', process: 'worker', instance: `${process.pid}` })
const database = openDatabase(databaseUrl, { connections: 10, logger })
const resumed = new EventEmitter()
process.on('message', ({ resume }: Resume) => resumed.emit(resume))
const report = (message: WorkerMessage) => void process.send?.(message)

const handler: JobHandler<{ effect: string }> = async ({ data: { effect }, attempt, finish }) => {
  const wait = (kind: WorkerMessage['kind']) => {
    report({ kind, effect, attempt })
    return once(resumed, effect)
  }
  if (name === 'stop_inside') report({ kind: 'running', effect, attempt })
  else if (name !== 'keep') await wait('running')
  try {
    await finish(async (tx) => {
      await sql`
        insert into effects (effect, times) values (${effect}, 1)
        on conflict (effect) do update set times = effects.times + 1`.execute(tx)
      if (name === 'stop_inside' && attempt === 1) await wait('inside')
    })
    report({ kind: 'finished', effect, attempt })
  } catch (error) {
    report({ kind: 'rejected', effect, attempt, reason: (error as Error).name })
    throw error
  }
}

const worker = startJobWorker({
  jobs: { [name]: proofJobs[name] },
  handlers: { [name]: handler },
  databaseUrl,
  database,
  jobsAtOnce: 2,
  clock: Date.now,
  logger,
  metrics: createMetrics(),
})
const poll = setInterval(() => {
  worker.ping().then(
    () => {
      clearInterval(poll)
      report({ kind: 'ready' })
    },
    () => {},
  )
}, 20)
process.once('disconnect', () => process.exit(0))
