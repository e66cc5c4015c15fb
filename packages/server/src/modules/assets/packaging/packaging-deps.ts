import type { RunProgram } from '../../../platform/programs/program-options.ts'

export interface PackagingDeps {
  readonly runProgram: RunProgram
}
