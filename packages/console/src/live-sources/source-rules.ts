import { isDeletable, liveSourceTransitions, statesOf } from '@continuity/core/live/source-state'
import type { LiveSource } from '../shared/wire-types.ts'

/** Whether a command changes anything: the service has the same table. */
export const isPossible = (command: 'activate' | 'deactivate', { status }: LiveSource): boolean =>
  statesOf(status).some((state) => liveSourceTransitions[state][command] !== undefined)

/** The service rejects the others with 409. */
export const mayBeDeleted = ({ status }: LiveSource): boolean => statesOf(status).every(isDeletable)
