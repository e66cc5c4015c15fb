/** A session that no person stands behind: an app's, which shows to everybody what it reads. */
export const isAnonymous = ({ roles }: { readonly roles: readonly string[] }): boolean =>
  roles.every((role) => role === 'ROLE_ANONYMOUS')

/** The time at which a record must be open to everybody for the caller to see it; null for one who sees all. */
export const shownAt = (call: {
  readonly principal: { readonly roles: readonly string[] }
  readonly nowMs: number
}): number | null => (isAnonymous(call.principal) ? call.nowMs : null)
