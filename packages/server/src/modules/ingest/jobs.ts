import { platformActor } from '../../platform/actor.ts'
import type { DueHandler } from '../../platform/due/sweeper.ts'
import { failAsset, failDeadLetters, failRequest } from './fail-dead-assets.ts'
import { endFailedAlert } from './failed-program-alert.ts'
import { makeDefaultMedia } from './make-default-media.ts'
import { assetPackager, type PackagerDeps } from './package-asset.ts'
import { processRequest } from './process-request.ts'
import { removeOldScratch } from './scratch.ts'
import { closeScratchAlert } from './store-alert.ts'

/** What is done with a program after it was taken in. */
export const ingestJobs = (deps: PackagerDeps) => ({
  process_request: processRequest,
  package_asset: assetPackager(deps),
  make_slate: assetPackager(deps),
  make_default_media: makeDefaultMedia,
  fail_asset: failAsset,
  fail_request: failRequest,
})

/** What is done when something of a request or a worker falls due. */
export const ingestDue = {
  close_scratch_alert: closeScratchAlert,
  failed_program: async (tx, { subjectId, accountId }, nowMs) =>
    endFailedAlert(tx, platformActor(accountId!, nowMs), subjectId),
} as const satisfies Record<string, DueHandler>

export { failDeadLetters, type PackagerDeps, removeOldScratch }
