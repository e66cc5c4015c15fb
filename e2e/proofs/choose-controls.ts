import { shuffle } from '../channel-rules/random-schedule.ts'
import { createDraw } from '../draw.ts'
import type { Proof } from './proof.ts'

/** All of them would take an hour. */
const MOST = 6
/** Also if no code has changed: dependencies and the frame of the proofs are not part of it. */
const LEAST = 2

/**
 * Controls that CI runs with this commit: those whose code has changed since they detected their faults, up to six at
 * random, and at least two. The same for the same commit.
 */
export function chooseControls(
  proofs: readonly Proof[],
  isDetected: (it: Proof) => boolean,
  commit: string,
): readonly Proof[] {
  const mixed = shuffle(createDraw(Number.parseInt(commit.slice(0, 8), 16)), proofs)
  // Once for each: it reads all the code that a proof watches.
  const { changed = [], others = [] } = Object.groupBy(mixed, (it) => (isDetected(it) ? 'others' : 'changed'))
  return [...changed.slice(0, MOST), ...others.slice(0, Math.max(0, LEAST - changed.length))]
}
