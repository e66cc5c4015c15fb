export { applyCuePoints } from './apply-cue-points.ts'
export {
  type Asset,
  type AssetState,
  findAsset,
  findSlate,
  isUnfinished,
  lockAsset,
  markEnded,
  type Reason,
  unfinished,
} from './asset-store.ts'
export { requireAsset } from './create-asset.ts'
export { closeNotPackaged } from './cue-alert.ts'
export { type AssetEnd, endFailed, endReady, type MadeAsset } from './end-asset.ts'
export { finalReasonOf, GAVE_UP } from './final-reason.ts'
export { makeAsset, type PackagerDeps } from './make-asset.ts'
export { requirePlayable } from './playable-assets.ts'
export { reportProgress } from './progress-reporter.ts'
export { openScratch, removeScratch } from './scratch.ts'
export { watchStore } from './store-alert.ts'
