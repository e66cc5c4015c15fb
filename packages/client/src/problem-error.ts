import type { FieldFault, OperationId, Operations, Problem } from '@continuity/contract'

type CodesOf<E> = E extends { readonly refusals: infer R } ? Extract<keyof R, string> : never

/**
 * The codes that the contract names beside its operations. Others exist, such
 * as those that any operation may answer, so every place that takes a code
 * takes any string and offers these.
 */
export type KnownCode = { [K in OperationId]: CodesOf<Operations[K]> }[OperationId]

type AnyCode = KnownCode | (string & Record<never, never>)

/**
 * The service answered, and the answer is a refusal.
 *
 * An answer that is not in the interface's form, such as a proxy's HTML page,
 * has the code `http.<status>`: `http.502` is a 502 that the service did not
 * write, `http.200` a success whose body could not be read. No code of the
 * service begins with `http.`.
 */
export class ProblemError<C extends string = string> extends Error {
  override readonly name = 'ProblemError'
  readonly status: number
  readonly code: C
  readonly detail: string
  /** The fields at fault; empty where the problem names none. */
  readonly errors: readonly FieldFault[]
  /** What to quote to the operator of the service; empty where the answer carried none. */
  readonly requestId: string
  readonly instance: string
  /** How long the answer asks to wait; undefined where it does not say. */
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

/** Whether an error is a problem, and one of these codes where any are given. */
export function isProblem<C extends AnyCode = string>(
  error: unknown,
  ...codes: readonly C[]
): error is ProblemError<C> {
  if (!(error instanceof ProblemError)) return false
  return codes.length === 0 || codes.some((code) => code === error.code)
}

/** Whether the answer was written by something between us and the service: a stranger, or its own gateway. */
export const isForeign = (problem: ProblemError): boolean => /^(http|gateway)\./.test(problem.code)
