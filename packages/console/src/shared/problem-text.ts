import { isProblem, UnreachableError } from '@continuity/client'

/** What went wrong, for a person; with the id of the request for faults of the service, which support needs. */
export function problemText(error: unknown): string {
  if (isProblem(error, 'session.refused')) return 'Account name, email or password is wrong.'
  if (isProblem(error, 'user.last_admin')) {
    return 'This is the last active administrator. Make another user an administrator first.'
  }
  if (isProblem(error)) {
    const wait =
      error.retryAfterMs === undefined ? '' : ` Try again in ${Math.ceil(error.retryAfterMs / 1_000)} s.`
    const request = error.status >= 500 && error.requestId !== '' ? ` (request ${error.requestId})` : ''
    return `${error.detail}${wait}${request}`
  }
  if (error instanceof UnreachableError) return 'No answer from the service.'
  return error instanceof Error ? error.message : String(error)
}

/** Of a request that changes something. */
export function commandProblemText(error: unknown): string {
  if (isProblem(error, 'record.changed')) {
    return 'Another user has changed this since you opened it. Close this, and look at what it is now.'
  }
  return error instanceof UnreachableError
    ? `${problemText(error)} It is unknown whether the command was carried out.`
    : problemText(error)
}
