import { setDue } from '../../platform/due/due-rows.ts'
import type { DueHandler } from '../../platform/due/sweeper.ts'
import type { PurgeExpired } from '../../platform/jobs/purge-expired.ts'
import { ACCEPTED_MS } from './add-batch.ts'
import { type AudienceRetention, DAY_MS, keepAudienceDays } from './audience-days.ts'
import { BLOCKS_KEPT_MS } from './import-limits.ts'
import { deleteBlocks } from './log-block-store.ts'
import { deleteBatchIds } from './store.ts'

export { answerAudience } from './answer-audience.ts'
export type { AudienceRetention } from './audience-days.ts'

const KEEP_EVERY_MS = 3_600_000
const DELETED_AT_ONCE = 1_000

export const audienceDue = (deps: { readonly retention: AudienceRetention }) =>
  ({
    audience_days: async (tx, { subjectId, accountId }, nowMs) => {
      await keepAudienceDays(tx, deps.retention, nowMs)
      await setDue(tx, { kind: 'audience_days', subjectId, accountId, dueMs: nowMs + KEEP_EVERY_MS })
    },
  }) as const satisfies Record<string, DueHandler>

/** Five days longer than batches are accepted, for nodes whose clocks are behind. */
export const purgeBatchIds: PurgeExpired = (db, nowMs) =>
  deleteBatchIds(db, nowMs - ACCEPTED_MS - 5 * DAY_MS, DELETED_AT_ONCE)

/** `beforeMs` compares with the start of a block, an hour before its last possible line. */
export const purgeLogBlocks: PurgeExpired = (db, nowMs) =>
  deleteBlocks(db, nowMs - BLOCKS_KEPT_MS, DELETED_AT_ONCE)
