import type { FilteredVideo } from '../search/filter.ts'
import type { Order, PlanRules } from './plan-rules.ts'

/** All that a plan depends on. The same input gives the same plan. */
export interface PlanInput {
  readonly rules: PlanRules
  readonly catalog: CatalogSnapshot
  /** The state that the plan before returned, or `emptyPlanState`. */
  readonly state: PlanState
  /** Determines what SHUFFLE chooses. It must not change from one portion to the next. */
  readonly seed: number
  /** Programs are planned that begin in this half-open range. */
  readonly from_ms: number
  readonly to_ms: number
  /**
   * Programs of partners and operators, and what is committed: rules give way to them. In any sequence; those of 26
   * hours after `to_ms` count too, because a program must end before they begin.
   */
  readonly fixed: readonly FixedProgram[]
}

export interface CatalogSnapshot {
  readonly videos: readonly CatalogVideo[]
  readonly series: readonly { readonly series_id: string; readonly title: string }[]
  readonly playlists: readonly { readonly playlist_id: string; readonly video_ids: readonly string[] }[]
}

/** Videos are planned if they are READY, and no longer than 24 hours. */
export interface CatalogVideo extends FilteredVideo {
  readonly duration_ms: number
  /** Where a break may be, ascending. */
  readonly cue_points_ms?: readonly number[]
}

export interface FixedProgram {
  readonly start_ms: number
  readonly end_ms: number
  /** Videos of the catalog in it, which count for the separation of what follows. */
  readonly video_ids?: readonly string[]
}

export interface Plan {
  readonly programs: readonly PlannedProgram[]
  readonly warnings: readonly PlanWarning[]
  /** For the next portion. */
  readonly state: PlanState
}

/** Time between programs is fill. */
export interface PlannedProgram {
  readonly start_ms: number
  readonly end_ms: number
  readonly title: string
  /** Id of the block, or `default`. */
  readonly rule: string
  /** Why this one and why now, for people. */
  readonly reason: string
  readonly video_id: string
  readonly items: readonly PlannedItem[]
  /** What `continueState` needs to know of it. */
  readonly basis: ProgramBasis
}

export interface ProgramBasis {
  readonly track: string
  readonly order: Order
  /** The occurrence of the block; null for the default. */
  readonly occurrence: { readonly start_ms: number; readonly end_ms: number } | null
  /**
   * The series that is now at this video, by its key in `TrackState`; the episode, for people; and its index in the
   * playlist. Null for orders without positions.
   */
  readonly position: { readonly key: string; readonly label: string; readonly index: number } | null
  readonly breaks: readonly { readonly start_ms: number; readonly end_ms: number }[]
  readonly interstitials: readonly { readonly playlist_id: string; readonly video_id: string }[]
}

/** As the operations on programs take them. */
export type PlannedItem =
  | { readonly video_id: string; readonly in_ms?: number; readonly out_ms?: number }
  /** Duration in seconds. */
  | { readonly type: 'AD_POD'; readonly duration: number }

/**
 * - nothing_to_play: nothing that the rule plans is allowed at this time; it is left to the default or to fill. Once
 *   for each rule and local day.
 * - separation_broken: nothing else was allowed.
 * - break_left_out: there was no time for it before the program has to end.
 * - interstitial_left_out: none of the playlist is allowed at this time, or there was no time for it.
 * - replay_left_out: a program of the replayed block is not allowed at this time, or does not fit.
 * - episode_left_out: an episode is longer than the block.
 */
export interface PlanWarning {
  readonly code:
    | 'nothing_to_play'
    | 'separation_broken'
    | 'break_left_out'
    | 'interstitial_left_out'
    | 'replay_left_out'
    | 'episode_left_out'
  readonly at_ms: number
  readonly rule: string
  readonly video_id: string | null
  readonly message: string
}

/**
 * What a plan leaves for the next: JSON, to be stored as it is. Positions are kept by track and series, not by block,
 * and so survive an edit of the rules.
 */
export interface PlanState {
  /** No program begins before; null at the beginning. */
  readonly until_ms: number | null
  /** End of the last program. */
  readonly ended_ms: number | null
  readonly tracks: Readonly<Record<string, TrackState>>
  /** End of the last airing by `video:ID`, `series:ID` or `keyword:TEXT`, of the last seven days. */
  readonly recent: Readonly<Record<string, number>>
  /** The last breaks, ascending. */
  readonly breaks: readonly { readonly start_ms: number; readonly end_ms: number }[]
  /** The last interstitial of each playlist. */
  readonly interstitials: Readonly<Record<string, string>>
  /** What blocks have aired, by their id. */
  readonly blocks: Readonly<Record<string, BlockState>>
  /** The last local day of a warning nothing_to_play, by rule. */
  readonly warned: Readonly<Record<string, string>>
}

export interface TrackState {
  /** Counts choices among series. */
  readonly turn: number
  /** By series id, `playlist:ID`, or an empty text for videos without a series. */
  readonly positions: Readonly<Record<string, Position>>
  /** Counts how often everything that was allowed has been aired. */
  readonly cycle: number
  /** Videos and the cycle in which each was last aired, the last one last; the latest 10,000. */
  readonly aired: readonly (readonly [string, number])[]
}

/** The last episode of a series that was aired, with what is needed to continue when it has left the catalog. */
export interface Position {
  readonly video_id: string
  readonly season: number
  readonly episode: number
  /** For people: the episode. */
  readonly label: string
  /** Index in the playlist, or 0. */
  readonly index: number
  readonly aired_ms: number
  /** The turn in which it was aired. */
  readonly turn: number
}

export interface BlockState {
  /** The last two occurrences, the older one first. */
  readonly occurrences: readonly Occurrence[]
  /** Every video once, in the sequence of the last airings; the latest 1,000. */
  readonly video_ids: readonly string[]
}

export interface Occurrence {
  readonly start_ms: number
  readonly end_ms: number
  readonly video_ids: readonly string[]
  /** What a REPLAY repeats, and the index of the next; null for other orders, and before the first choice. */
  readonly replay: Replay | null
}

export interface Replay {
  readonly of_ms: number
  readonly video_ids: readonly string[]
  readonly next: number
}

export const emptyPlanState: PlanState = {
  until_ms: null,
  ended_ms: null,
  tracks: {},
  recent: {},
  breaks: [],
  interstitials: {},
  blocks: {},
  warned: {},
}
