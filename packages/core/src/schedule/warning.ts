/** A condition that an operator should know about. It is repeated whenever the same time is laid out again. */
export interface Warning {
  readonly code: WarningCode
  /** Null outside of programs. */
  readonly programId: string | null
  /** Index of the item; null if the warning is not about one. */
  readonly item: number | null
  /** How much is not shown, or is replaced. */
  readonly ticks: number
}

export type WarningCode = 'item_not_ready' | 'item_cut' | 'item_left_out' | 'no_filler'
