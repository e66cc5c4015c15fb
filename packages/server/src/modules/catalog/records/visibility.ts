/** A session of an app, without a user: whatever it reads is public. */
export const isAnonymous = ({ roles }: { readonly roles: readonly string[] }): boolean =>
  roles.every((role) => role === 'ROLE_ANONYMOUS')

/** The time at which a record must be public for the caller to see it; null for a caller that sees all. */
export const visibleAt = (call: {
  readonly principal: { readonly roles: readonly string[] }
  readonly nowMs: number
}): number | null => (isAnonymous(call.principal) ? call.nowMs : null)
