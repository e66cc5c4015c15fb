import type { SignalTrouble } from './signal-trouble.ts'
import type { LiveSourceState, LiveSourceTrigger } from './source-state.ts'

/** Media arrives, reception could not begin, or the signal has been missing for a while. */
export type SourceCondition = 'receiving' | 'failed' | 'lost'

/** The last report of a receiver on one input of a source. */
export interface SourceReport {
  /** Generation of the settings in use. */
  readonly generation: number
  readonly condition: SourceCondition
  readonly code: string
  readonly message: string
  /** Problems of a signal that is received; not sent by receivers of an earlier version. */
  readonly troubles?: readonly SignalTrouble[]
  readonly atMs: number
}

/** What is known of a source besides its record. */
export interface SourceSituation {
  readonly state: LiveSourceState
  /** When it entered that state. */
  readonly sinceMs: number
  readonly generation: number
  /** One per input; undefined without a report. */
  readonly reports: readonly (SourceReport | undefined)[]
  /** How long no receiver has held a lease on any of its inputs; 0 while one does. */
  readonly unleasedMs: number
  readonly nowMs: number
}

export interface SourceChange {
  readonly trigger: LiveSourceTrigger
  /** The reason, for states that show it. */
  readonly reason: SourceReason | undefined
}

export interface SourceReason {
  readonly code: string
  readonly message: string
}

/** Longest duration of a validation, whatever receivers report. */
export const VALIDATION_MS = 30_000

/** A receiver gives up earlier, so that it can report the reason. */
const RECEIVER_VALIDATION_MS = VALIDATION_MS - 4_000

/** A signal that has been missing for this long is lost. */
export const LOST_MS = 60_000

const noReceiver: SourceReason = {
  code: 'source.no_receiver',
  message: 'No receiver has taken the source; check that receivers are running and have room.',
}

/**
 * The state change of a source that follows from its reports; undefined if none. A report on earlier settings
 * is ignored. One input that is received is enough; if none is, the reason is that of the first report.
 */
export function changeOf(situation: SourceSituation): SourceChange | undefined {
  const { state, sinceMs, generation, unleasedMs, nowMs } = situation
  const reports = situation.reports.map((report) => (report?.generation === generation ? report : undefined))
  const isReceiving = reports.some((report) => report?.condition === 'receiving')
  const reason = reports.find((report) => report !== undefined)
  switch (state) {
    case 'DEACTIVATING':
      return unleasedMs > 0 ? { trigger: 'released', reason: undefined } : undefined
    case 'ACTIVATING': {
      if (isReceiving) return { trigger: 'validated', reason: undefined }
      const isOver = nowMs - sinceMs > VALIDATION_MS || reports.every((report) => report !== undefined)
      return isOver ? { trigger: 'validation_failed', reason: reason ?? noReceiver } : undefined
    }
    case 'ACTIVE':
      if (unleasedMs > LOST_MS) return { trigger: 'signal_lost', reason: noReceiver }
      return reports.every((report) => report?.condition === 'lost')
        ? { trigger: 'signal_lost', reason }
        : undefined
    case 'ERROR':
      return isReceiving ? { trigger: 'signal_returned', reason: undefined } : undefined
    default:
      return undefined
  }
}

/** What a receiver knows of an input since it began. Times are of a monotonic clock. */
export interface InputHistory {
  readonly startMs: number
  readonly lastMediaMs: number | undefined
  readonly lastFault: SourceReason | undefined
}

const noMedia: SourceReason = {
  code: 'source.too_slow',
  message: 'The source sent too little media for a segment.',
}

/** What a receiver reports of an input; undefined while it is too early. */
export function conditionOf(
  { startMs, lastMediaMs, lastFault }: InputHistory,
  nowMs: number,
): (SourceReason & { readonly condition: SourceCondition }) | undefined {
  if (nowMs - (lastMediaMs ?? startMs) > LOST_MS) return { condition: 'lost', ...(lastFault ?? noMedia) }
  if (lastMediaMs !== undefined) return { condition: 'receiving', code: '', message: '' }
  const isLate = nowMs - startMs > RECEIVER_VALIDATION_MS
  return lastFault !== undefined || isLate ? { condition: 'failed', ...(lastFault ?? noMedia) } : undefined
}
