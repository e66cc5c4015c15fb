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
 * Why something was not fetched, in words for whoever gave the address.
 *
 * The message never tells what a name resolved to or what the network answered,
 * since that would map our network for a stranger; `cause` does, for the log.
 */
export class OutboundRefused extends Error {
  override readonly name = 'OutboundRefused'
  readonly code: OutboundCode
  /** Whether a further try would end the same way. */
  readonly isFinal: boolean

  constructor(code: OutboundCode, message: string, options: { isFinal: boolean; cause?: unknown }) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.isFinal = options.isFinal
  }
}
