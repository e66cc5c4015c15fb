/** A client that lost the response to a refresh may repeat it for this long, and gets the same successor. */
export const GRACE_MS = 10_000

/** A session at the time when a refresh credential is presented. */
export interface SessionState {
  /** Number of the one valid refresh credential. */
  readonly number: number
  /** When the previous credential was replaced; null while it is the first. */
  readonly replacedMs: number | null
  readonly expiresMs: number
  readonly endedMs: number | null
}

/** Properties of a presented credential. */
export interface PresentedCredential {
  readonly number: number
  /** It was issued for this session: its MAC is valid. */
  readonly isGenuine: boolean
  /** It equals the session's current credential, or the previous one. */
  readonly matches: 'present' | 'replaced' | 'neither'
}

export type RefreshDecision =
  /** Issue a successor. */
  | { readonly kind: 'replace' }
  /** Return the successor that was issued before. */
  | { readonly kind: 'repeat' }
  /** Two parties have the credentials of this session, so it ends. */
  | { readonly kind: 'end' }
  | { readonly kind: 'reject' }

/**
 * Decides what a refresh credential is worth.
 *
 * An old one that is genuine shows that there is a copy: either a thief or the owner has refreshed with it
 * before, and it is unknown which. One that is not genuine shows nothing, and must not end a session.
 */
export function decideRefresh(
  session: SessionState,
  presented: PresentedCredential,
  nowMs: number,
): RefreshDecision {
  if (session.endedMs !== null || nowMs >= session.expiresMs || !presented.isGenuine) return REJECT
  if (presented.number === session.number) {
    return presented.matches === 'present' ? { kind: 'replace' } : REJECT
  }
  if (presented.number > session.number) return REJECT
  const isLast = presented.number === session.number - 1 && presented.matches === 'replaced'
  const isInGrace = session.replacedMs !== null && nowMs < session.replacedMs + GRACE_MS
  return isLast && isInGrace ? { kind: 'repeat' } : { kind: 'end' }
}

const REJECT = { kind: 'reject' } as const
