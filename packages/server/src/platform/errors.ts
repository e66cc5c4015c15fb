/**
 * An error with a stable code that is returned to the caller as a problem (RFC 9457). Any other thrown error is a bug
 * and becomes a 500.
 */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly kind: ErrorKind
  readonly faults: readonly Fault[] | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(kind: ErrorKind, detail: string, options: AppErrorOptions = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause })
    this.kind = kind
    this.faults = options.faults
    this.retryAfterSeconds = options.retryAfterSeconds
  }
}

export interface AppErrorOptions {
  readonly cause?: unknown
  readonly faults?: readonly Fault[]
  readonly retryAfterSeconds?: number
}

export interface Fault {
  readonly pointer: string
  readonly code: string
  readonly message: string
}

/** One row of the error table. */
export interface ErrorKind {
  readonly code: string
  readonly status: number
  /** The same for every error of this kind; listed in the error table. */
  readonly title: string
}

/** For callers: with what they do about it. */
export interface DocumentedError extends ErrorKind {
  readonly remedy: string
}

export interface DefinedError<Args extends readonly unknown[]> extends ErrorKind {
  (...args: Args): AppError
}

/**
 * Declares an error once; calling it creates one to throw.
 *
 * The table in docs/api/errors.md is printed from these declarations.
 */
export function defineError<Args extends readonly unknown[]>(
  code: string,
  status: number,
  title: string,
  detail: (...args: Args) => string | { readonly detail: string; readonly options: AppErrorOptions },
): DefinedError<Args> {
  const kind: ErrorKind = { code, status, title }
  const make = (...args: Args) => {
    const made = detail(...args)
    return typeof made === 'string' ? new AppError(kind, made) : new AppError(kind, made.detail, made.options)
  }
  return Object.assign(make, kind)
}
