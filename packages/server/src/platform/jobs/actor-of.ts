import type { Actor } from '../actor.ts'
import type { JobRun } from './job-handler.ts'

/** The actor of a job: no user, in the request that enqueued it. Throws for a job of the platform itself. */
export function actorOf(
  { accountId, requestId, ...run }: Pick<JobRun, 'accountId' | 'requestId' | 'nowMs'>,
  nowMs = run.nowMs,
): Actor {
  if (accountId === undefined) throw new Error('the job belongs to no account')
  return { accountId, userId: null, requestId: requestId ?? null, nowMs }
}
