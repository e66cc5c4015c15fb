import { forgetKeys } from '../http/idempotency.ts'
import { forgetMails } from '../modules/alert-mails/jobs.ts'
import {
  type AudienceRetention,
  audienceDue,
  forgetBatchIds,
  forgetLogBlocks,
} from '../modules/audience/jobs.ts'
import { forgetExpiredAuth } from '../modules/auth/index.ts'
import { catalogJobs } from '../modules/catalog/jobs.ts'
import { forgetEvents } from '../modules/events/index.ts'
import { failDeadLetters, ingestDue, ingestJobs, type PackagerDeps } from '../modules/ingest/jobs.ts'
import { liveDue, liveJobs, type SyncDeps } from '../modules/live/jobs.ts'
import { overrideJobs } from '../modules/overrides/jobs.ts'
import { forgetRuns, type ScheduleDeps, scheduleDue } from '../modules/schedule/jobs.ts'
import { forgetDeliveries } from '../modules/webhooks/jobs.ts'
import type { DueKind } from '../platform/due/due-kinds.ts'
import { setDue } from '../platform/due/due-rows.ts'
import type { DueHandlers } from '../platform/due/sweeper.ts'
import { type AllJobs, enqueue } from '../platform/jobs/all-jobs.ts'
import { type ForgetExpired, forgetExpired } from '../platform/jobs/forget-expired.ts'
import type { JobHandlers } from '../platform/jobs/job-handler.ts'

/** What the modules have that expires, by what it is. */
const forgetters: Readonly<Record<string, ForgetExpired>> = {
  audience_batches: forgetBatchIds,
  audience_log_blocks: forgetLogBlocks,
  events: forgetEvents,
  idempotency_keys: forgetKeys,
  runs: forgetRuns,
  webhook_deliveries: forgetDeliveries,
  alert_mails: forgetMails,
  ...forgetExpiredAuth,
}

const FORGET_EVERY_MS = 3_600_000
const FAIL_DEAD_EVERY_MS = 60_000

/** Every job and what does it. */
export function buildJobHandlers(deps: PackagerDeps, scheduleDeps: ScheduleDeps): JobHandlers<AllJobs> {
  return {
    ...catalogJobs,
    ...ingestJobs(deps),
    ...liveJobs(deps),
    ...overrideJobs(scheduleDeps),
    forget_expired: forgetExpired(forgetters),
  }
}

/** Everything that falls due and what is done then. */
export function buildDueHandlers(
  deps: ScheduleDeps & SyncDeps & { readonly retention: AudienceRetention },
): DueHandlers<DueKind> {
  return {
    ...audienceDue(deps),
    ...scheduleDue(deps),
    ...ingestDue,
    ...liveDue(deps),
    fail_dead_assets: async (tx, { subjectId, accountId }, nowMs) => {
      const isMore = await failDeadLetters(tx)
      const dueMs = isMore ? nowMs : nowMs + FAIL_DEAD_EVERY_MS
      await setDue(tx, { kind: 'fail_dead_assets', subjectId, accountId, dueMs })
    },
    forget_expired: async (tx, { subjectId, accountId }, nowMs) => {
      await enqueue(tx, 'forget_expired', {}, { accountId, requestId: undefined })
      await setDue(tx, { kind: 'forget_expired', subjectId, accountId, dueMs: nowMs + FORGET_EVERY_MS })
    },
  }
}

/** Kinds that repeat for as long as the platform is there. */
export const standingKinds: readonly DueKind[] = ['audience_days', 'fail_dead_assets', 'forget_expired']
