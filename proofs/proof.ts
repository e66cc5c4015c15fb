import type { Measured } from '@continuity/dev/figures'

/** A promise that is checked at two sizes: small at night, full before a release. */
export interface Proof<Size = unknown> {
  readonly name: string
  readonly title: string
  /** The promise, and how it is tested. */
  readonly promise: string
  readonly sizes: { readonly small: Size; readonly full: Size }
  /** Why a figure may miss its target at full size and whether the target remains, by the figure's name. */
  readonly limits?: Readonly<Record<string, string>>
  run(context: ProofContext<Size>): Promise<Measured>
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
