import { shuffle } from '../channel-rules/random-schedule.ts'
import { createDraw } from '../draw.ts'
import type { Proof } from './proof.ts'

/** All of them would take an hour. */
const MOST = 6
/** Also where nothing has changed, so that a machine on which controls notice nothing is found. */
const LEAST = 2

/**
 * Controls that CI runs with this commit: those whose code has changed since they noticed their faults, at random up to
 * six, and two in any case. The same for the same commit.
 */
export function chooseControls(
  proofs: readonly Proof[],
  isNoticed: (it: Proof) => boolean,
  commit: string,
): readonly Proof[] {
  const mixed = shuffle(createDraw(Number.parseInt(commit.slice(0, 8), 16)), proofs)
  const changed = mixed.filter((it) => !isNoticed(it))
  const others = mixed.filter((it) => isNoticed(it))
  return [...changed.slice(0, MOST), ...others.slice(0, Math.max(0, LEAST - changed.length))]
}
