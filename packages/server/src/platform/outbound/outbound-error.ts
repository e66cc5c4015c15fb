export const outboundCodes = [
  'address.invalid',
  'address.forbidden',
  'address.unresolvable',
  'fetch.status',
  'fetch.too_large',
  'fetch.timeout',
  'fetch.too_slow',
  'fetch.broken',
  'fetch.too_many_redirects',
  'fetch.encoded',
] as const

/** Stable: partners read them as the reason why an item failed. */
export type OutboundCode = (typeof outboundCodes)[number]

/**
 * Why something was not fetched, for the customer who gave the address.
 *
 * The message never contains resolved addresses or network errors, which would reveal our network; `cause` does, for the
 * log.
 */
export class OutboundError extends Error {
  override readonly name = 'OutboundError'
  readonly code: OutboundCode
  /** Whether a retry would fail the same way. */
  readonly isFinal: boolean

  constructor(code: OutboundCode, message: string, options: { isFinal: boolean; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.isFinal = options.isFinal
  }
}
