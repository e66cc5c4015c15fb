import type { Actor } from '../actor.ts'

/** The platform itself, at the beginning of time, save where `over` says otherwise. */
export const anActor = (accountId: string, over: Partial<Actor> = {}): Actor => ({
  accountId,
  userId: null,
  requestId: null,
  nowMs: 0,
  ...over,
})
