/** Something that somebody should know about. The same is said again whenever the same time is laid out again. */
export interface Warning {
  readonly code: WarningCode
  /** Null in time that no program covers. */
  readonly programId: string | null
  /** Its place among the items; null where it is not about one. */
  readonly item: number | null
  /** How much is not shown, or is shown in place of something else. */
  readonly ticks: number
}

export type WarningCode = 'item_not_ready' | 'item_cut' | 'item_left_out' | 'no_filler'
