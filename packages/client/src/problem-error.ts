import type { FieldFault, OperationId, Operations, Problem } from '@continuity/contract'

type CodesOf<E> = E extends { readonly errors: infer R } ? Extract<keyof R, string> : never

/**
 * The error codes that the contract lists for its operations. Others exist, such
 * as those that any operation may return, so parameters accept any string and
 * these serve for completion.
 */
export type KnownCode = { [K in OperationId]: CodesOf<Operations[K]> }[OperationId]

type AnyCode = KnownCode | (string & Record<never, never>)

/**
 * The service returned an error.
 *
 * An answer that is not in the format of the API, such as a proxy's HTML page,
 * has the code `http.<status>`: `http.502` is a 502 that does not come from the
 * service, `http.200` a success whose body could not be parsed. No code of the
 * service begins with `http.`.
 */
export class ProblemError<C extends string = string> extends Error {
  override readonly name = 'ProblemError'
  readonly status: number
  readonly code: C
  readonly detail: string
  /** The invalid fields; empty if the problem lists none. */
  readonly errors: readonly FieldFault[]
  /** For support requests to the operator of the service; empty if the answer has none. */
  readonly requestId: string
  readonly instance: string
  /** The Retry-After of the answer; undefined if it has none. */
  readonly retryAfterMs: number | undefined
  readonly problem: Problem

  constructor(problem: Problem & { readonly code: C }, retryAfterMs?: number) {
    super(`${problem.status} ${problem.code}: ${problem.detail}`)
    this.status = problem.status
    this.code = problem.code
    this.detail = problem.detail
    this.errors = problem.errors ?? []
    this.requestId = problem.request_id
    this.instance = problem.instance
    this.retryAfterMs = retryAfterMs
    this.problem = problem
  }
}

/** Whether an error is a problem, with one of these codes if any are given. */
export function isProblem<C extends AnyCode = string>(
  error: unknown,
  ...codes: readonly C[]
): error is ProblemError<C> {
  if (!(error instanceof ProblemError)) return false
  return codes.length === 0 || codes.some((code) => code === error.code)
}

/** Whether the answer comes from a proxy or a gateway and not from the service itself. */
export const isForeign = (problem: ProblemError): boolean => /^(http|gateway)\./.test(problem.code)
