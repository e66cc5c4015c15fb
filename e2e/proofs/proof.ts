import assert from 'node:assert/strict'
import { judge, type Measured, printTable } from '../../tools/figures/figures.ts'

/** A promise that is kept at any size: small in CI, full under `npm run prove`. */
export interface Proof<Size = unknown> {
  readonly name: string
  readonly title: string
  /** What is promised, and how it is tried. */
  readonly promise: string
  readonly sizes: { readonly small: Size; readonly full: Size }
  run(context: ProofContext<Size>): Promise<Measured>
}

export interface ProofContext<Size> {
  readonly size: Size
  /** All randomness comes from it. */
  readonly seed: number
  say(line: string): void
}

/** Keeps the type of a proof's size inside, and lets proofs of all sizes stand in one list. */
export function proof<Size>(value: Proof<Size>): Proof<Size> {
  return value
}

/** Runs a proof at its small size, as a test. */
export async function assertSmall<Size>(it: Proof<Size>, seed: number): Promise<void> {
  const measured = await it.run({ size: it.sizes.small, seed, say: () => {} })
  const { verdicts, pass } = judge(measured)
  assert.ok(pass, `seed ${seed}\n${printTable(verdicts)}`)
}
