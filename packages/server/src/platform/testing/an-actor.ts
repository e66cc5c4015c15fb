import type { Actor } from '../actor.ts'

/** The platform itself at time 0, unless overridden. */
export const anActor = (accountId: string, over: Partial<Actor> = {}): Actor => ({
  accountId,
  userId: null,
  requestId: null,
  nowMs: 0,
  ...over,
})
