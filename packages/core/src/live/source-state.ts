/** What a client reads. */
export type LiveSourceStatus = 'IDLE' | 'PROCESSING' | 'ACTIVE' | 'ERROR'

/** The same, with the two kinds of PROCESSING distinguished: on the way up and on the way down. */
export type LiveSourceState = 'IDLE' | 'ACTIVATING' | 'ACTIVE' | 'DEACTIVATING' | 'ERROR'

/** What operators order, and what receivers report. */
export type LiveSourceTrigger =
  | 'activate'
  | 'deactivate'
  | 'validated'
  | 'validation_failed'
  | 'released'
  | 'signal_lost'
  | 'signal_returned'

/**
 * The state machine of a live source. A trigger that a state does not list changes nothing: an order that is given twice,
 * or a report that arrives late, finds what it wanted or has been overtaken.
 */
export const liveSourceTransitions: Readonly<
  Record<LiveSourceState, Partial<Record<LiveSourceTrigger, LiveSourceState>>>
> = {
  IDLE: { activate: 'ACTIVATING' },
  // An operator who changes their mind does not wait for a validation of 30 s.
  ACTIVATING: { deactivate: 'DEACTIVATING', validated: 'ACTIVE', validation_failed: 'ERROR' },
  ACTIVE: { deactivate: 'DEACTIVATING', signal_lost: 'ERROR' },
  DEACTIVATING: { released: 'IDLE' },
  // Its receiver looks for the signal on, so that the source comes back by itself.
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

/** The states that read as a status. */
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

/** Its settings matter to a receiver, or something shows it: it cannot be deleted. */
export const isDeletable = (state: LiveSourceState): boolean => state === 'IDLE' || state === 'ERROR'
