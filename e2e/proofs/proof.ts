import assert from 'node:assert/strict'
import { judge, type Measured, printTable } from '../../tools/figures/figures.ts'
import type { SourceChange } from '../../tools/source-changes/project-copy.ts'
import { runSabotaged } from './run-sabotaged.ts'

/** A promise that is checked at two sizes: small in CI, full by `npm run prove`. */
export interface Proof<Size = unknown> {
  readonly name: string
  readonly title: string
  /** The promise, and how it is tested. */
  readonly promise: string
  readonly sizes: { readonly small: Size; readonly full: Size }
  /** Folders and files whose code it measures, from the project root; its page is stale once they change. */
  readonly watches: readonly string[]
  /** Why a figure may miss its target at full size and whether the target remains, by the figure's name. */
  readonly limits?: Readonly<Record<string, string>>
  /** The control: with it the proof must fail. */
  readonly sabotage: Sabotage
  run(context: ProofContext<Size>): Promise<Measured>
}

/** A fault injected into a copy of the project, which the proof must detect. */
export interface Sabotage {
  /** The fault, as a sentence. */
  readonly title: string
  readonly changes: readonly SourceChange[]
  /** The figures that must then miss their targets: failing for another reason does not count. */
  readonly missed: readonly string[]
}

export interface ProofContext<Size> {
  readonly size: Size
  /** The seed of all randomness. */
  readonly seed: number
  log(line: string): void
}

/** Keeps the size type of a proof private, so that proofs of all sizes fit into one list. */
export function proof<Size>(value: Proof<Size>): Proof<Size> {
  return value
}

/** Runs a proof at its small size, as a test. A failure prints the log of the proof. */
export async function assertSmall<Size>(it: Proof<Size>, seed: number): Promise<void> {
  const lines: string[] = []
  const measured = await it.run({ size: it.sizes.small, seed, log: (line) => lines.push(line) })
  const { verdicts, pass } = judge(measured)
  const printed = lines.slice(-40).map((line) => `  ${line}`)
  assert.ok(pass, [`${it.name}, seed ${seed}`, ...printed, printTable(verdicts)].join('\n'))
}

/** Runs a proof at its small size with its sabotage, as a test: it must miss the figures that the sabotage names. */
export async function assertSabotageIsFound<Size>(it: Proof<Size>, seed: number): Promise<void> {
  const { output, unmissed } = await runSabotaged(it, { seed, isSmall: true })
  assert.deepEqual(unmissed, [], `${it.name} does not detect its sabotage, ${it.sabotage.title}:\n${output}`)
}
