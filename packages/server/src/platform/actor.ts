/** Who makes a change, in which request and when; recorded with every change. */
export interface Actor {
  readonly accountId: string
  /** Null for the platform itself, including the owner's commands. */
  readonly userId: string | null
  readonly requestId: string | null
  readonly nowMs: number
}

/** The platform itself, outside of any request. */
export const platformActor = (accountId: string, nowMs: number): Actor => ({
  accountId,
  userId: null,
  requestId: null,
  nowMs,
})
