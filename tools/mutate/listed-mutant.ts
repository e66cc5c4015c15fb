import type { SourceChange } from '../source-changes/project-copy.ts'

/** One deliberate mistake, and the tests that must notice it. */
export interface ListedMutant {
  /** Unique over all areas. */
  readonly id: string
  /** Describes the mistake. */
  readonly title: string
  readonly change: SourceChange
  /** Test files, from the project's root. At least one of them must fail. */
  readonly tests: readonly string[]
  /** Why the mistake changes nothing that anyone can observe. Such a mutant must survive. */
  readonly equivalent?: string
}

/** The mutants of one area. Every file in `listed/` exports one of these. */
export interface ListedMutants {
  readonly area: string
  readonly mutants: readonly ListedMutant[]
}
