import type { JobWithMetadata } from 'pg-boss'
import type { Claim } from './claim.ts'
import type { JobEnvelope } from './enqueue.ts'

/** A job in the hands of this process. */
export interface HeldJob {
  readonly claim: Claim
  readonly envelope: JobEnvelope
  /** No further try follows when this one fails. */
  readonly isLastTry: boolean
  readonly abort: AbortController
  /** `finishing` and `finished` are written by the run, `given_back` by the end of the worker. */
  phase: 'running' | 'finishing' | 'finished' | 'given_back'
}

export function holdJob({ name, id, retryCount, retryLimit, data }: JobWithMetadata<JobEnvelope>): HeldJob {
  return {
    claim: { name, id, retryCount },
    envelope: data,
    isLastTry: retryCount >= retryLimit,
    abort: new AbortController(),
    phase: 'running',
  }
}
