/** A client that lost the answer to a refresh may ask again for so long, and is given the same successor. */
export const GRACE_MS = 10_000

/** A session as it stands when a refresh credential is presented. */
export interface SessionState {
  /** Number of the one refresh credential that is good. */
  readonly number: number
  /** When the credential before it was replaced; null while it is the first. */
  readonly replacedMs: number | null
  readonly expiresMs: number
  readonly endedMs: number | null
}

/** What is known of a credential that was presented. */
export interface PresentedCredential {
  readonly number: number
  /** It was made for this session: nobody else can set the mark that it bears. */
  readonly isMarked: boolean
  /** It is, bit for bit, the session's present credential; or the one before. */
  readonly matches: 'present' | 'replaced' | 'neither'
}

export type RefreshDecision =
  /** Give a successor. */
  | { readonly kind: 'replace' }
  /** Give again the successor that was given before. */
  | { readonly kind: 'repeat' }
  /** Two hold the credentials of this session, so nobody may. */
  | { readonly kind: 'end' }
  | { readonly kind: 'refuse' }

/**
 * What a refresh credential is worth.
 *
 * An old one that is genuine tells that somebody has a copy: either the thief
 * or the owner has refreshed with it before, and it cannot be known which. One
 * that is not genuine tells nothing, and must not end anybody's session.
 */
export function decideRefresh(
  session: SessionState,
  presented: PresentedCredential,
  nowMs: number,
): RefreshDecision {
  if (session.endedMs !== null || nowMs >= session.expiresMs || !presented.isMarked) return REFUSE
  if (presented.number === session.number) {
    return presented.matches === 'present' ? { kind: 'replace' } : REFUSE
  }
  if (presented.number > session.number) return REFUSE
  const isLast = presented.number === session.number - 1 && presented.matches === 'replaced'
  const isInGrace = session.replacedMs !== null && nowMs < session.replacedMs + GRACE_MS
  return isLast && isInGrace ? { kind: 'repeat' } : { kind: 'end' }
}

const REFUSE = { kind: 'refuse' } as const
