import assert from 'node:assert/strict'
import { judge, type Measured, printTable } from '../../tools/figures/figures.ts'
import type { SourceChange } from '../../tools/source-changes/project-copy.ts'
import { runSabotaged } from './run-sabotaged.ts'

/** A promise that is checked at two sizes: small in CI, full under `npm run prove`. */
export interface Proof<Size = unknown> {
  readonly name: string
  readonly title: string
  /** What is promised, and how it is tested. */
  readonly promise: string
  readonly sizes: { readonly small: Size; readonly full: Size }
  /** Folders and files whose code it measures, from the project's root; its page is stale once they change. */
  readonly watches: readonly string[]
  /** The control: the proof must end red with it. */
  readonly sabotage: Sabotage
  run(context: ProofContext<Size>): Promise<Measured>
}

/** A mistake that breaks what a proof watches. It is made in a copy of the project. */
export interface Sabotage {
  /** What is broken, as a sentence. */
  readonly title: string
  readonly changes: readonly SourceChange[]
  /** The figures that must then miss their targets: red for another reason does not count. */
  readonly missed: readonly string[]
}

export interface ProofContext<Size> {
  readonly size: Size
  /** All randomness comes from it. */
  readonly seed: number
  say(line: string): void
}

/** Keeps the type of a proof's size private, so that proofs of all sizes fit into one list. */
export function proof<Size>(value: Proof<Size>): Proof<Size> {
  return value
}

/** Runs a proof at its small size, as a test. A failure prints what the proof reported on the way. */
export async function assertSmall<Size>(it: Proof<Size>, seed: number): Promise<void> {
  const lines: string[] = []
  const measured = await it.run({ size: it.sizes.small, seed, say: (line) => lines.push(line) })
  const { verdicts, pass } = judge(measured)
  const log = lines.slice(-40).map((line) => `  ${line}`)
  assert.ok(pass, [`${it.name}, seed ${seed}`, ...log, printTable(verdicts)].join('\n'))
}

/** Runs a proof at its small size with its sabotage, as a test: it must miss the figures that the sabotage names. */
export async function assertSabotageIsFound<Size>(it: Proof<Size>, seed: number): Promise<void> {
  const { output, unmissed } = await runSabotaged(it, { seed, isSmall: true })
  assert.deepEqual(unmissed, [], `${it.name} does not notice its sabotage, ${it.sabotage.title}:\n${output}`)
}
