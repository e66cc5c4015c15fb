import type { SlotHealth } from './input-health.ts'

/** What can be the matter with a signal that arrives. */
export const signalTroubles = ['black', 'frozen', 'silent'] as const

export type SignalTrouble = (typeof signalTroubles)[number]

/** Over a minute: a programme fades to black for some seconds, and nobody has to look at that. */
const LASTING_MS = 60_000
const GOOD_MS = 10_000

/** How long one kind of trouble has been there, or has not. Written by `followTroubles` only. */
interface TroubleRun {
  readonly isLasting: boolean
  /** Slots in a row that had it, or else that did not. */
  readonly isNow: boolean
  readonly slots: number
}

export type TroubleRuns = Readonly<Record<SignalTrouble, TroubleRun>>

const none: TroubleRun = { isLasting: false, isNow: false, slots: 0 }

export const NO_TROUBLES: TroubleRuns = { black: none, frozen: none, silent: none }

/**
 * The troubles of an input after one more slot. One begins when it has lasted for over a minute, and ends when the signal has
 * been without it for ten seconds. Fill is neither: of a slot without media nothing is known.
 */
export function followTroubles(before: TroubleRuns, { media }: SlotHealth, slotMs: number): TroubleRuns {
  if (media === null) return before
  const { isBlack: black, isFrozen: frozen, isSilent: silent } = media
  const follow = (run: TroubleRun, isNow: boolean): TroubleRun => {
    const slots = run.isNow === isNow ? run.slots + 1 : 1
    const ms = slots * slotMs
    return {
      isNow,
      slots,
      isLasting: isNow ? run.isLasting || ms > LASTING_MS : run.isLasting && ms < GOOD_MS,
    }
  }
  return {
    black: follow(before.black, black),
    frozen: follow(before.frozen, frozen),
    silent: follow(before.silent, silent),
  }
}

export const lastingTroubles = (runs: TroubleRuns): readonly SignalTrouble[] =>
  signalTroubles.filter((trouble) => runs[trouble].isLasting)
