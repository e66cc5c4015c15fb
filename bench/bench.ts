import type { Measured } from '../tools/figures/figures.ts'

/** A ratio that we promise to keep: our part against its bare engine, in one run. */
export interface Bench {
  readonly name: string
  readonly title: string
  /** What is compared with what. */
  readonly question: string
  run(context: BenchContext): Promise<Measured & { readonly notes?: string }>
}

export interface BenchContext {
  readonly rounds: number
  readonly secondsPerRound: number
  say(line: string): void
}
