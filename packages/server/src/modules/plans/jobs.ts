import { setDue } from '../../platform/due/due-rows.ts'
import type { DueHandler } from '../../platform/due/sweeper.ts'
import { enqueue } from '../../platform/jobs/all-jobs.ts'
import type { Planner } from './planner.ts'
import { runPlanner } from './run-planner.ts'

export const planJobs = (planner: Planner) => ({ plan_rules: runPlanner(planner) })

/** The job sets the next time. Should it become a dead letter, it is enqueued again an hour later. */
export const planDue = {
  plan_rules: async (tx, { subjectId, accountId }, nowMs) => {
    await enqueue(
      tx,
      'plan_rules',
      { linear_channel_id: subjectId },
      { accountId, requestId: undefined, key: subjectId },
    )
    await setDue(tx, { kind: 'plan_rules', subjectId, accountId, dueMs: nowMs + 3_600_000 })
  },
} as const satisfies Record<string, DueHandler>
