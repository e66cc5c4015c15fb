import { enqueueInto } from '../../packages/server/src/platform/jobs/enqueue.ts'
import { type JobMap, job } from '../../packages/server/src/platform/jobs/job-map.ts'

/**
 * Each does one thing, which counts, and waits for a word on the way: before its
 * effect, or inside the transaction of the effect. A kind for each part of the
 * proof, so that all can run side by side.
 */
export const proofJobs = {
  keep: job<{ effect: string }>(),
  kill: job<{ effect: string }>(),
  stop: job<{ effect: string }>(),
  stop_inside: job<{ effect: string }>(),
} as const satisfies JobMap

export type ProofJobs = typeof proofJobs
export type ProofJob = keyof ProofJobs

export const enqueueProof = enqueueInto<ProofJobs>()

/** What a worker tells of a run. */
export interface WorkerWord {
  readonly word: 'ready' | 'running' | 'inside' | 'finished' | 'refused'
  readonly effect?: string
  readonly attempt?: number
  readonly reason?: string
}

/** What a run waits for. */
export interface GoOn {
  readonly goOn: string // the effect
}
