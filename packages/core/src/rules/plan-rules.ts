/**
 * The rules of a channel's schedule, as one document: `PUT /linear_channels/{id}/plan`. Every field has a value here;
 * `readPlanRules` checks a document and fills in defaults. Times of day and dates are local times of `time_zone`.
 */
export interface PlanRules {
  /** An IANA name. */
  readonly time_zone: string
  /** How many days ahead programs are planned. */
  readonly horizon_days: number
  readonly blocks: readonly Block[]
  /** For time that no block covers or that a block leaves; without it, that time is fill. */
  readonly default: Filling | null
  /** For all blocks without a value of their own, and for the default. */
  readonly starts: Starts
  readonly breaks: BreakPolicy
  readonly separation: readonly Separation[]
  readonly ratings: readonly RatingWindow[]
  readonly availability: readonly AvailabilityWindow[]
}

/** What is planned, and in which order. */
export interface Filling {
  readonly content: Content
  readonly order: Order
  /** Fillings of the same track continue each other: positions in series, and what a shuffle has aired. */
  readonly track: string
  /** What NEXT_EPISODE and MARATHON do after the last episode: begin again, or wait for a new one. */
  readonly at_end: 'REPEAT' | 'STOP'
  /** Title of the programs; null for that of the series, or else of the video. */
  readonly title: string | null
}

export interface Block extends Filling {
  /** Unique in the document; it is the `rule` of the block's programs. */
  readonly id: string
  /** Where blocks overlap, the higher one wins; of two equal ones, the one that is listed first. */
  readonly priority: number
  readonly days: readonly Weekday[]
  /** The first and the last local day on which the block begins, both included; null for no limit. */
  readonly first_date: string | null
  readonly last_date: string | null
  readonly times: readonly TimeOfDay[]
  readonly starts: Starts
  readonly breaks: BreakPolicy
  /** The most programs in one occurrence; null for as many as fit. */
  readonly most: number | null
  /** What follows when nothing of the block fits any more. */
  readonly rest: 'DEFAULT' | 'FILL'
}

/** From and to are `HH:MM`. Unless `to` is later than `from`, it is of the next day. */
export interface TimeOfDay {
  readonly from: string
  readonly to: string
}

/**
 * Exactly one of them. A filter is that of the search, and relative dates in it count from the beginning of the local
 * day; so new content joins by itself. `block_id` stands for what that block has aired.
 */
export type Content =
  | { readonly series_ids: readonly string[] }
  | { readonly playlist_id: string }
  | { readonly filter: unknown }
  | { readonly block_id: string }

export const weekdays = ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'] as const
export type Weekday = (typeof weekdays)[number]

/**
 * - NEXT_EPISODE: an episode of each series, one series after another. A playlist counts as one series, and so do
 *   videos without a series.
 * - MARATHON: all episodes of a series, then those of the next.
 * - SHUFFLE: in random sequence, each video once before any is repeated.
 * - NEWEST_FIRST: by date of publication, each video once before any is repeated.
 * - REPLAY: the programs of the last occurrence of another block, in the same sequence.
 */
export const orders = ['NEXT_EPISODE', 'MARATHON', 'SHUFFLE', 'NEWEST_FIRST', 'REPLAY'] as const
export type Order = (typeof orders)[number]

/** On which local minutes programs begin. What is left before is fill. */
export const starts = ['NONE', 'HOUR', 'HALF_HOUR'] as const
export type Starts = (typeof starts)[number]

export interface BreakPolicy {
  /** BETWEEN: after a program. CUE_POINTS: at cue points of the video. */
  readonly at: 'NONE' | 'BETWEEN' | 'CUE_POINTS'
  /** The least time from a break to the next. */
  readonly every_minutes: number
  readonly length_seconds: number
  /** The most breaks that begin within any 60 minutes; null for no limit. */
  readonly most_per_hour: number | null
  /** The least distance of a cue point from the start and from the end of the video. */
  readonly from_start_minutes: number
  readonly from_end_minutes: number
  /** Playlists of interstitials, of which one is shown before and after each break; null for none. */
  readonly before_playlist_id: string | null
  readonly after_playlist_id: string | null
}

/**
 * The least time between two airings, from the end of the first to the start of the second: of the same video, of the
 * same series, or of videos with a keyword. What is not strict may be broken where nothing else could be aired, with
 * a warning.
 */
export interface Separation {
  readonly by: 'VIDEO' | 'SERIES' | 'KEYWORD'
  /** Null unless `by` is KEYWORD. */
  readonly keyword: string | null
  readonly minutes: number
  readonly strict: boolean
}

/** In this time only programs with one of the ratings are aired. Ratings have no order, so all are listed. */
export interface RatingWindow extends TimeOfDay {
  readonly days: readonly Weekday[]
  readonly allowed: readonly string[]
  /** Whether videos without a rating are allowed. */
  readonly unrated: boolean
}

/** Limits the availability of videos further than the catalog does. Exactly one of the first three is not null. */
export interface AvailabilityWindow {
  readonly series_id: string | null
  readonly video_id: string | null
  readonly keyword: string | null
  /** UTC; null for no limit. */
  readonly from: string | null
  readonly until: string | null
}

/** The `rule` of programs of the default. No block may have this id. */
export const DEFAULT_RULE = 'default'
