import type { RunProgram } from '../../../platform/programs/program-order.ts'

export interface PackagingDeps {
  readonly runProgram: RunProgram
}
