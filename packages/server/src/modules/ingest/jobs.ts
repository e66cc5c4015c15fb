import { failAsset, failDeadLetters, failRequest } from './fail-dead-assets.ts'
import { makeDefaultMedia } from './make-default-media.ts'
import { assetPackager, type PackagerDeps } from './package-asset.ts'
import { processRequest } from './process-request.ts'
import { removeOldScratch } from './scratch.ts'
import { closeScratchAlert } from './store-alert.ts'

/** What is done with a program after it was taken in. */
export const ingestJobs = (deps: PackagerDeps) => ({
  process_request: processRequest,
  package_asset: assetPackager(deps),
  make_default_media: makeDefaultMedia,
  fail_asset: failAsset,
  fail_request: failRequest,
})

export { closeScratchAlert, failDeadLetters, type PackagerDeps, removeOldScratch }
