export type { Markers } from './breaks.ts'
export type { Limits } from './check-text.ts'
export { readSegments } from './parse-media.ts'
export type { Cue, Segment } from './playlist.ts'
export { type Level, type Profile, type Rule, rules, type Violation } from './rules.ts'
export {
  createPlaylistValidator,
  type FetchedDelta,
  type FetchedPlaylist,
  type PlaylistValidator,
  type ValidatorOptions,
} from './validator.ts'
export { type WatchOptions, type WatchSummary, watchPlaylists } from './watch.ts'
