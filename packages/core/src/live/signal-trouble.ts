import type { SlotHealth } from './input-health.ts'

/** Problems of a signal that is being received. */
export const signalTroubles = ['black', 'frozen', 'silent'] as const

export type SignalTrouble = (typeof signalTroubles)[number]

/** More than a minute: programmes fade to black for some seconds, which needs no alert. */
const LASTING_MS = 60_000
const GOOD_MS = 10_000

/** How long one kind of trouble has been present or absent. Written by `followTroubles` only. */
interface TroubleRun {
  readonly isLasting: boolean
  /** Consecutive slots with it, or without it. */
  readonly isNow: boolean
  readonly slots: number
}

export type TroubleRuns = Readonly<Record<SignalTrouble, TroubleRun>>

const none: TroubleRun = { isLasting: false, isNow: false, slots: 0 }

export const NO_TROUBLES: TroubleRuns = { black: none, frozen: none, silent: none }

/**
 * The troubles of an input after one more slot. A trouble begins after it has lasted for more than a minute,
 * and ends after ten seconds without it. Fill is ignored: nothing is known about a slot without media.
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
