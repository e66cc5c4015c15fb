import { enqueueInto } from '../../packages/server/src/platform/jobs/enqueue.ts'
import { type JobMap, job } from '../../packages/server/src/platform/jobs/job-map.ts'

/**
 * Each job counts its effect, and waits for a message of the proof: before the
 * effect, or inside the transaction of the effect. A kind for each part of the
 * proof, so that all can run at the same time.
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

/** A message of a worker about a run. */
export interface WorkerMessage {
  readonly kind: 'ready' | 'running' | 'inside' | 'finished' | 'rejected'
  readonly effect?: string
  readonly attempt?: number
  readonly reason?: string
}

/** The message that a run waits for. */
export interface Resume {
  readonly resume: string // the effect
}
