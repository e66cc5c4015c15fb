export { beginEpoch, readDatabaseState } from './feed-epoch-store.ts'
export type { PackageReader } from './packages.ts'
export {
  hasProgram,
  type NewProgram,
  noteItemEnded,
  noteSlateReady,
  type PlaceResult,
  placeProgram,
  removeProgram,
} from './place-program.ts'
export { type ItemRecord, isAssetScheduled } from './program-store.ts'
export { findWarnings } from './program-warnings.ts'
export { isVideoCommitted, noteVideoDeleted } from './scheduled-videos.ts'
export { tellChange } from './tell-channel.ts'
