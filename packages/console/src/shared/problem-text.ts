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

/**
 * What the service found wrong, by the field of the body. Undefined where something has no field among these, and is to
 * be shown as a whole.
 */
export function faultsAt(
  error: unknown,
  fields: readonly string[],
): Readonly<Record<string, string>> | undefined {
  if (!isProblem(error) || error.errors.length === 0) return undefined
  const faults = error.errors.map(({ pointer, message }) => [pointer.split('/')[1] ?? '', `It ${message}.`])
  return faults.every(([field]) => fields.includes(field!)) ? Object.fromEntries(faults) : undefined
}
