import type { SignalTrouble } from './signal-trouble.ts'
import type { LiveSourceState, LiveSourceTrigger } from './source-state.ts'

/** Media arrives, it could not be received from the beginning, or it has been gone for a while. */
export type SourceCondition = 'receiving' | 'failed' | 'lost'

/** What a receiver says of one input of a source, last. */
export interface SourceReport {
  /** Of the settings that it receives by. */
  readonly generation: number
  readonly condition: SourceCondition
  readonly code: string
  readonly message: string
  /** What is the matter with a signal that is received; left out by receivers of an earlier version. */
  readonly troubles?: readonly SignalTrouble[]
  readonly atMs: number
}

/** What is known of a source besides its record. */
export interface SourceSituation {
  readonly state: LiveSourceState
  /** Since when it is in that state. */
  readonly sinceMs: number
  readonly generation: number
  /** Of each input; undefined where there is none. */
  readonly reports: readonly (SourceReport | undefined)[]
  /** For how long no receiver has held a lease on any of its inputs; 0 while one does. */
  readonly unheldMs: number
  readonly nowMs: number
}

export interface SourceChange {
  readonly trigger: LiveSourceTrigger
  /** Why; for states that show it. */
  readonly reason: SourceReason | undefined
}

export interface SourceReason {
  readonly code: string
  readonly message: string
}

/** Validation ends by then, whatever receivers report. */
export const VALIDATION_MS = 30_000

/** A receiver gives up this much earlier, so that it can say why. */
const RECEIVER_VALIDATION_MS = VALIDATION_MS - 4_000

/** A signal that has been gone for so long is lost. */
export const LOST_MS = 60_000

const noReceiver: SourceReason = {
  code: 'source.no_receiver',
  message: 'No receiver has taken the source; check that receivers are running and have room.',
}

/**
 * What follows for the state of a source; undefined while nothing does. A report on earlier settings is ignored. One input
 * that is received is enough; what is reported when none is, is the first one's reason.
 */
export function changeOf(situation: SourceSituation): SourceChange | undefined {
  const { state, sinceMs, generation, unheldMs, nowMs } = situation
  const reports = situation.reports.map((report) => (report?.generation === generation ? report : undefined))
  const isReceiving = reports.some((report) => report?.condition === 'receiving')
  const reason = reports.find((report) => report !== undefined)
  switch (state) {
    case 'DEACTIVATING':
      return unheldMs > 0 ? { trigger: 'released', reason: undefined } : undefined
    case 'ACTIVATING': {
      if (isReceiving) return { trigger: 'validated', reason: undefined }
      const isOver = nowMs - sinceMs > VALIDATION_MS || reports.every((report) => report !== undefined)
      return isOver ? { trigger: 'validation_failed', reason: reason ?? noReceiver } : undefined
    }
    case 'ACTIVE':
      if (unheldMs > LOST_MS) return { trigger: 'signal_lost', reason: noReceiver }
      return reports.every((report) => report?.condition === 'lost')
        ? { trigger: 'signal_lost', reason }
        : undefined
    case 'ERROR':
      return isReceiving ? { trigger: 'signal_returned', reason: undefined } : undefined
    default:
      return undefined
  }
}

/** What a receiver has seen of an input since it began. Times are of a clock that only goes forward. */
export interface InputHistory {
  readonly startMs: number
  readonly lastMediaMs: number | undefined
  readonly lastFault: SourceReason | undefined
}

const noMedia: SourceReason = {
  code: 'source.too_slow',
  message: 'The source brings too little to make a segment of.',
}

/** What a receiver reports of an input; undefined while it is too early to say. */
export function conditionOf(
  { startMs, lastMediaMs, lastFault }: InputHistory,
  nowMs: number,
): (SourceReason & { readonly condition: SourceCondition }) | undefined {
  if (nowMs - (lastMediaMs ?? startMs) > LOST_MS) return { condition: 'lost', ...(lastFault ?? noMedia) }
  if (lastMediaMs !== undefined) return { condition: 'receiving', code: '', message: '' }
  const isLate = nowMs - startMs > RECEIVER_VALIDATION_MS
  return lastFault !== undefined || isLate ? { condition: 'failed', ...(lastFault ?? noMedia) } : undefined
}
