/** Who does something, in what request and when: what a change of a record is written down with. */
export interface Actor {
  readonly accountId: string
  /** Null for the platform itself, which its owner's commands are. */
  readonly userId: string | null
  readonly requestId: string | null
  readonly nowMs: number
}

/** The platform itself, in nobody's request. */
export const platformActor = (accountId: string, nowMs: number): Actor => ({
  accountId,
  userId: null,
  requestId: null,
  nowMs,
})
