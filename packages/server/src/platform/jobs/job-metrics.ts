import type { QueueResult } from 'pg-boss'
import type { Metrics } from '../metrics/metrics.ts'
import { DEAD_LETTERS } from './boss.ts'
import type { Outcome } from './run-job.ts'

export interface JobMetrics {
  ended(name: string, outcome: Outcome, seconds: number): void
  /** The counts of pg-boss itself; its supervision updates them every few seconds. */
  setQueues(queues: readonly QueueResult[]): void
}

const DURATION_BOUNDS = [0.01, 0.1, 0.5, 1, 5, 15, 60, 300, 900, 3_600]

export function countJobs(metrics: Metrics, running: () => number): JobMetrics {
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
