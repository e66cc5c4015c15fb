import type { QueueResult } from 'pg-boss'
import type { Metrics } from '../metrics.ts'
import { DEAD_LETTERS } from './boss.ts'
import type { Outcome } from './run-job.ts'

export interface JobMetrics {
  ended(name: string, outcome: Outcome, seconds: number): void
  /** What the queue says of itself; the supervision counts it anew every few seconds. */
  saw(queues: readonly QueueResult[]): void
}

const DURATION_BOUNDS = [0.01, 0.1, 0.5, 1, 5, 15, 60, 300, 900, 3_600]

export function countJobs(metrics: Metrics, running: () => number): JobMetrics {
  const ended = metrics.counter('jobs_ended_total', 'Runs of jobs, by how they ended.')
  const durations = metrics.histogram('job_duration_seconds', 'Time that runs of jobs took.', DURATION_BOUNDS)
  let waiting = 0
  let dead = 0
  metrics.gauge('jobs_running', 'Jobs that this process runs.', running)
  metrics.gauge('jobs_waiting', 'Jobs that could start, of all processes.', () => waiting)
  metrics.gauge('jobs_dead_letters', 'Dead letters that are not handled yet.', () => dead)
  return {
    ended(name, outcome, seconds) {
      ended.series({ job: name, outcome }).add()
      durations.series({ job: name }).observe(seconds)
    },
    saw(queues) {
      const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
      const [letters, others] = [true, false].map((isDead) =>
        queues.filter(({ name }) => (name === DEAD_LETTERS) === isDead),
      )
      waiting = sum(others!.map(({ readyCount }) => readyCount))
      dead = sum(letters!.map(({ queuedCount }) => queuedCount))
    },
  }
}
