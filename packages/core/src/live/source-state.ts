/** What a client sees. */
export type LiveSourceStatus = 'IDLE' | 'PROCESSING' | 'ACTIVE' | 'ERROR'

/** The same, with two kinds of PROCESSING. */
export type LiveSourceState = 'IDLE' | 'ACTIVATING' | 'ACTIVE' | 'DEACTIVATING' | 'ERROR'

/** Commands of operators, and reports of receivers. */
export type LiveSourceTrigger =
  | 'activate'
  | 'deactivate'
  | 'validated'
  | 'validation_failed'
  | 'released'
  | 'signal_lost'
  | 'signal_returned'

/**
 * The state machine of a live source. A trigger that a state does not list changes nothing: a repeated command
 * or a late report has no effect.
 */
export const liveSourceTransitions: Readonly<
  Record<LiveSourceState, Partial<Record<LiveSourceTrigger, LiveSourceState>>>
> = {
  IDLE: { activate: 'ACTIVATING' },
  // An operator can cancel without waiting for a validation of 30 s.
  ACTIVATING: { deactivate: 'DEACTIVATING', validated: 'ACTIVE', validation_failed: 'ERROR' },
  ACTIVE: { deactivate: 'DEACTIVATING', signal_lost: 'ERROR' },
  DEACTIVATING: { released: 'IDLE' },
  // Its receiver keeps looking for the signal, so that the source recovers without an operator.
  ERROR: {
    activate: 'ACTIVATING',
    deactivate: 'DEACTIVATING',
    validated: 'ACTIVE',
    signal_returned: 'ACTIVE',
  },
}

export const nextState = (state: LiveSourceState, trigger: LiveSourceTrigger): LiveSourceState =>
  liveSourceTransitions[state][trigger] ?? state

const statuses: Readonly<Record<LiveSourceState, LiveSourceStatus>> = {
  IDLE: 'IDLE',
  ACTIVATING: 'PROCESSING',
  ACTIVE: 'ACTIVE',
  DEACTIVATING: 'PROCESSING',
  ERROR: 'ERROR',
}

export const statusOf = (state: LiveSourceState): LiveSourceStatus => statuses[state]

/** The states with a status. */
export const statesOf = (status: LiveSourceStatus): readonly LiveSourceState[] =>
  (Object.keys(statuses) as LiveSourceState[]).filter((state) => statuses[state] === status)

/** What a receiver does for a source: nothing, look for its signal, or make segments of it. */
export type Reception = 'none' | 'watch' | 'receive'

export function receptionOf(state: LiveSourceState, alwaysKeepReceiver: boolean): Reception {
  if (state === 'ACTIVATING' || state === 'ACTIVE') return 'receive'
  if (state === 'DEACTIVATING') return 'none'
  if (alwaysKeepReceiver) return 'receive'
  return state === 'ERROR' ? 'watch' : 'none'
}

/** Otherwise a receiver needs its settings, or a channel shows it. */
export const isDeletable = (state: LiveSourceState): boolean => state === 'IDLE' || state === 'ERROR'
