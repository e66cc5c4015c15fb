import { EventEmitter, once } from 'node:events'
import { sql } from 'kysely'
import { openDatabase } from '../../packages/server/src/platform/database/database.ts'
import type { JobHandler } from '../../packages/server/src/platform/jobs/job-handler.ts'
import { startJobWorker } from '../../packages/server/src/platform/jobs/job-worker.ts'
import { createLog } from '../../packages/server/src/platform/logger.ts'
import { createMetrics } from '../../packages/server/src/platform/metrics.ts'
import { type GoOn, type ProofJob, proofJobs, type WorkerWord } from './proof-jobs.ts'

/** A worker process of the proof. It runs jobs of one kind, and tells its parent how they go. */
const databaseUrl = process.env['DATABASE_URL']!
const name = process.env['JOB'] as ProofJob

const { logger } = createLog({ level: 'warn', process: 'worker', instance: `${process.pid}` })
const database = openDatabase(databaseUrl, { connections: 10, logger })
const words = new EventEmitter()
process.on('message', ({ goOn }: GoOn) => words.emit(goOn))
const tell = (word: WorkerWord) => void process.send?.(word)

const handler: JobHandler<{ effect: string }> = async ({ data: { effect }, attempt, finish }) => {
  const wait = (word: WorkerWord['word']) => {
    tell({ word, effect, attempt })
    return once(words, effect)
  }
  if (name === 'stop_inside') tell({ word: 'running', effect, attempt })
  else if (name !== 'keep') await wait('running')
  try {
    await finish(async (tx) => {
      await sql`
        insert into effects (effect, times) values (${effect}, 1)
        on conflict (effect) do update set times = effects.times + 1`.execute(tx)
      if (name === 'stop_inside' && attempt === 1) await wait('inside')
    })
    tell({ word: 'finished', effect, attempt })
  } catch (error) {
    tell({ word: 'refused', effect, attempt, reason: (error as Error).name })
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
const look = setInterval(() => {
  worker.ping().then(
    () => {
      clearInterval(look)
      tell({ word: 'ready' })
    },
    () => {},
  )
}, 20)
process.once('disconnect', () => process.exit(0))
