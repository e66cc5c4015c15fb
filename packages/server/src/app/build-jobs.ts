import { purgeIdempotencyKeys } from '../http/idempotency.ts'
import { purgeMails } from '../modules/alert-mails/jobs.ts'
import type { PackagerDeps } from '../modules/assets/index.ts'
import { assetDue, assetJobs } from '../modules/assets/jobs.ts'
import {
  type AudienceRetention,
  audienceDue,
  purgeBatchIds,
  purgeLogBlocks,
} from '../modules/audience/jobs.ts'
import { purgeExpiredAuth } from '../modules/auth/index.ts'
import { catalogJobs } from '../modules/catalog/jobs.ts'
import { purgeEvents } from '../modules/events/index.ts'
import { failDeadLetters, ingestDue, ingestJobs } from '../modules/ingest/jobs.ts'
import { liveDue, liveJobs, type SyncDeps } from '../modules/live/jobs.ts'
import { overrideJobs } from '../modules/overrides/jobs.ts'
import type { Planner } from '../modules/plans/index.ts'
import { planDue, planJobs } from '../modules/plans/jobs.ts'
import { type GuideDeps, purgeRuns, type ScheduleDeps, scheduleDue } from '../modules/schedule/jobs.ts'
import { purgeDeliveries } from '../modules/webhooks/jobs.ts'
import type { DueKind } from '../platform/due/due-kinds.ts'
import { setDue } from '../platform/due/due-rows.ts'
import type { DueHandlers } from '../platform/due/sweeper.ts'
import { type AllJobs, enqueue } from '../platform/jobs/all-jobs.ts'
import type { JobHandlers } from '../platform/jobs/job-handler.ts'
import { type PurgeExpired, purgeExpired } from '../platform/jobs/purge-expired.ts'

/** The purges of all modules, by the name of what expires. */
const purges: Readonly<Record<string, PurgeExpired>> = {
  audience_batches: purgeBatchIds,
  audience_log_blocks: purgeLogBlocks,
  events: purgeEvents,
  idempotency_keys: purgeIdempotencyKeys,
  runs: purgeRuns,
  webhook_deliveries: purgeDeliveries,
  alert_mails: purgeMails,
  ...purgeExpiredAuth,
}

const PURGE_EVERY_MS = 3_600_000
const FAIL_DEAD_EVERY_MS = 60_000

/** The handlers of all jobs. */
export function buildJobHandlers(
  deps: PackagerDeps,
  scheduleDeps: ScheduleDeps,
  planner: Planner,
): JobHandlers<AllJobs> {
  return {
    ...catalogJobs,
    ...assetJobs,
    ...ingestJobs(deps),
    ...liveJobs(deps),
    ...overrideJobs(scheduleDeps),
    ...planJobs(planner),
    forget_expired: purgeExpired(purges),
  }
}

/** The handlers of all due rows. */
export function buildDueHandlers(
  deps: ScheduleDeps & GuideDeps & SyncDeps & { readonly retention: AudienceRetention },
): DueHandlers<DueKind> {
  return {
    ...audienceDue(deps),
    ...scheduleDue(deps),
    ...assetDue,
    ...ingestDue,
    ...planDue,
    ...liveDue(deps),
    fail_dead_assets: async (tx, { subjectId, accountId }, nowMs) => {
      const isMore = await failDeadLetters(tx)
      const dueMs = isMore ? nowMs : nowMs + FAIL_DEAD_EVERY_MS
      await setDue(tx, { kind: 'fail_dead_assets', subjectId, accountId, dueMs })
    },
    forget_expired: async (tx, { subjectId, accountId }, nowMs) => {
      await enqueue(tx, 'forget_expired', {}, { accountId, requestId: undefined })
      await setDue(tx, { kind: 'forget_expired', subjectId, accountId, dueMs: nowMs + PURGE_EVERY_MS })
    },
  }
}

/** A cut whose API process died is published by its due row, and has a segment's time until it is shown. */
export const urgentKinds: readonly DueKind[] = ['publish_feed']

/** Kinds that always have a due row. */
export const standingKinds: readonly DueKind[] = [
  'as_run_months',
  'audience_days',
  'fail_dead_assets',
  'forget_expired',
]
