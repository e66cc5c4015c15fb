import type { LiveSourceState, LiveSourceTrigger } from './source-state.ts'

/** What a receiver says of a source, last. */
export interface SourceReport {
  /** Of the settings that it receives by. */
  readonly generation: number
  /** Media arrives, it could not be received from the beginning, or it has been gone for a while. */
  readonly condition: 'receiving' | 'failed' | 'lost'
  readonly code: string
  readonly message: string
  readonly atMs: number
}

/** What is known of a source besides its record. */
export interface SourceSituation {
  readonly state: LiveSourceState
  /** Since when it is in that state. */
  readonly sinceMs: number
  readonly generation: number
  readonly report: SourceReport | undefined
  /** No receiver holds a lease on any of its inputs. */
  readonly isReleased: boolean
  readonly nowMs: number
}

export interface SourceChange {
  readonly trigger: LiveSourceTrigger
  /** Why; for states that tell it. */
  readonly reason: { readonly code: string; readonly message: string } | undefined
}

/** Validation ends by then, whatever receivers say. */
export const VALIDATION_MS = 30_000

const noReceiver = {
  code: 'source.no_receiver',
  message: 'No receiver has taken the source; check that receivers are running and have room.',
} as const

/** What follows for the state of a source; undefined while nothing does. A report on earlier settings says nothing. */
export function changeOf(situation: SourceSituation): SourceChange | undefined {
  const { state, sinceMs, generation, isReleased, nowMs } = situation
  const report = situation.report?.generation === generation ? situation.report : undefined
  const isReceiving = report?.condition === 'receiving'
  switch (state) {
    case 'DEACTIVATING':
      return isReleased ? { trigger: 'released', reason: undefined } : undefined
    case 'ACTIVATING':
      if (isReceiving) return { trigger: 'validated', reason: undefined }
      if (report !== undefined) return { trigger: 'validation_failed', reason: report }
      return nowMs - sinceMs > VALIDATION_MS
        ? { trigger: 'validation_failed', reason: noReceiver }
        : undefined
    case 'ACTIVE':
      return report?.condition === 'lost' ? { trigger: 'signal_lost', reason: report } : undefined
    case 'ERROR':
      return isReceiving ? { trigger: 'signal_returned', reason: undefined } : undefined
    default:
      return undefined
  }
}
