import type { JobWithMetadata } from 'pg-boss'
import type { Claim } from './claim.ts'
import type { JobEnvelope } from './enqueue.ts'

/** A job that this process runs. */
export interface RunningJob {
  readonly claim: Claim
  readonly envelope: JobEnvelope
  /** No retry follows when this attempt fails. */
  readonly isLastTry: boolean
  readonly abort: AbortController
  /** `finishing` and `finished` are set by the run, `given_back` by the stop of the worker. */
  phase: 'running' | 'finishing' | 'finished' | 'given_back'
}

export function toRunningJob({
  name,
  id,
  retryCount,
  retryLimit,
  data,
}: JobWithMetadata<JobEnvelope>): RunningJob {
  return {
    claim: { name, id, retryCount },
    envelope: data,
    isLastTry: retryCount >= retryLimit,
    abort: new AbortController(),
    phase: 'running',
  }
}
