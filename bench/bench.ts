import type { Measured } from '../tools/figures/figures.ts'

/** A ratio that we promise to keep: our part against its bare engine, in one run. */
export interface Bench {
  readonly name: string
  readonly title: string
  /** What is compared with what. */
  readonly question: string
  /** Folders and files whose code it measures, from the project's root; its page is stale once they change. */
  readonly watches: readonly string[]
  /** Why a figure is known to miss its target and whether the target stands, by the figure's name. */
  readonly limits?: Readonly<Record<string, string>>
  run(context: BenchContext): Promise<Measured & { readonly notes?: string }>
}

export interface BenchContext {
  readonly rounds: number
  readonly secondsPerRound: number
  /** How many there are, for a bench of videos. */
  readonly videos?: number | undefined
  /** About how many there are, for a bench of reports. */
  readonly rows?: number | undefined
  /** Where what was loaded stays, for a bench that loads. */
  readonly keep?: string | undefined
  say(line: string): void
}
