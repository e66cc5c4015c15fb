/**
 * No answer: the connection failed, broke off, or took longer than `timeoutMs`.
 * The call may or may not have had its effect. `cause` has the reason.
 */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
  readonly method: string
  readonly url: string

  constructor(request: { readonly method: string; readonly url: string }, cause: unknown) {
    super(`No answer to ${request.method} ${request.url}`, { cause })
    this.method = request.method
    this.url = request.url
  }
}
