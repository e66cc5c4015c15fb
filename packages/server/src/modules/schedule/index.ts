export { type Cut, overrideChannel, rescueChannel, returnChannel } from './cut-channel.ts'
export { FeedUnavailable, ScheduleOverlap, ScheduleTooLate, ScheduleTooLong } from './errors.ts'
export { beginEpoch, readDatabaseState } from './feed-epoch-store.ts'
export { type AiredSpan, findReferences } from './find-references.ts'
export type { ScheduleDeps } from './jobs.ts'
export { type AiredTimeline, loadAired } from './load-aired.ts'
export {
  hasProgram,
  type NewProgram,
  noteItemEnded,
  noteSlateReady,
  type PlaceResult,
  placeProgram,
  planRulesAgain,
  removeProgram,
  replaceProgram,
} from './place-program.ts'
export {
  findProgram,
  type ItemRecord,
  isAssetScheduled,
  listCancelledWindows,
  listProgramItems,
  listPrograms,
  listProgramsOfAsset,
  type ProgramRule,
  replaceAssets,
  type StoredProgram,
  updateProgram,
} from './program-store.ts'
export { findWarnings } from './program-warnings.ts'
export { publishChange } from './publish-channel.ts'
export { publishUpdates } from './publish-feed.ts'
export { publishTogether } from './publish-together.ts'
export {
  findCommittedUntil,
  findReplaceableFrom,
  type RuleChanges,
  type RuleProgram,
  replaceRulePrograms,
  type Window,
} from './replace-rule-programs.ts'
export type { ScheduleRouteDeps } from './routes.ts'
export { isVideoCommitted, noteVideoDeleted } from './scheduled-videos.ts'
export { clearRulesChange, findRulesChange, type TimelineId } from './timeline-store.ts'
