import type { Actor } from '../actor.ts'
import type { JobRun } from './job-handler.ts'

/** Who a job acts for: nobody in person, in the request that left it. Throws for a job of the platform itself. */
export function actorOf(
  { accountId, requestId, ...run }: Pick<JobRun, 'accountId' | 'requestId' | 'nowMs'>,
  nowMs = run.nowMs,
): Actor {
  if (accountId === undefined) throw new Error('the job belongs to no account')
  return { accountId, userId: null, requestId: requestId ?? null, nowMs }
}
