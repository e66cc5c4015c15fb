import type { Measured } from '@continuity/dev/figures'

/** A ratio that we promise to keep: our code against its bare engine, in one run. */
export interface Bench {
  readonly name: string
  readonly title: string
  /** What is compared, and how. */
  readonly question: string
  /** Why a figure is known to miss its target and whether the target remains, by the figure's name. */
  readonly limits?: Readonly<Record<string, string>>
  run(context: BenchContext): Promise<Measured & { readonly notes?: string }>
}

export interface BenchContext {
  readonly rounds: number
  readonly secondsPerRound: number
  /** Number of videos, for a bench of the catalog. */
  readonly videos?: number | undefined
  /** Approximate number of rows, for a bench of reports. */
  readonly rows?: number | undefined
  /** Folder in which loaded data is kept, for a bench that loads data. */
  readonly keep?: string | undefined
  log(line: string): void
}
