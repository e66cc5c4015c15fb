import { platformActor } from '../../platform/actor.ts'
import type { DueHandler } from '../../platform/due/sweeper.ts'
import type { PackagerDeps } from '../assets/index.ts'
import { failAsset, failDeadLetters, failRequest } from './fail-dead-letters.ts'
import { endFailedAlert } from './failed-program-alert.ts'
import { assetPackager } from './package-asset.ts'
import { processRequest } from './process-request.ts'

/** Jobs of an accepted request. */
export const ingestJobs = (deps: PackagerDeps) => ({
  process_request: processRequest,
  package_asset: assetPackager(deps),
  make_slate: assetPackager(deps),
  fail_asset: failAsset,
  fail_request: failRequest,
})

/** Timers of requests. */
export const ingestDue = {
  failed_program: async (tx, { subjectId, accountId }, nowMs) =>
    endFailedAlert(tx, platformActor(accountId!, nowMs), subjectId),
} as const satisfies Record<string, DueHandler>

export { failDeadLetters }
