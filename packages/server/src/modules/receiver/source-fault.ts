import type { OutboundError } from '../../platform/outbound/outbound-error.ts'

/** Why a source cannot be received. Stable: operators and scripts read them in `status_detail`. */
export const sourceCodes = [
  'source.address_forbidden',
  'source.unreachable',
  'source.status',
  'source.redirects',
  'source.too_slow',
  'source.too_large',
  'source.not_hls',
  'source.playlist_invalid',
  'source.encrypted',
  'source.not_live',
  'source.frozen',
  'source.key_invalid',
  'source.undecodable',
  'source.no_video',
  'source.no_audio',
  'source.no_key_frame',
  'source.receiver_too_slow',
] as const

export type SourceCode = (typeof sourceCodes)[number]

/** A fault of a source that its operator can see and fix. */
export class SourceFault extends Error {
  override readonly name = 'SourceFault'
  readonly code: SourceCode

  constructor(code: SourceCode, message: string, options?: { readonly cause: unknown }) {
    super(message, options)
    this.code = code
  }
}

/** Temporary faults of a server: a retry may succeed. */
const temporaryCodes: ReadonlySet<SourceCode> = new Set([
  'source.unreachable',
  'source.status',
  'source.too_slow',
])

export const isPassing = ({ code }: SourceFault): boolean => temporaryCodes.has(code)

/** Faults of a playlist that its server is still writing. */
export const isHalfWritten = ({ code }: SourceFault): boolean =>
  code === 'source.not_hls' || code === 'source.playlist_invalid'

const codesOfFetching: Readonly<Record<OutboundError['code'], SourceCode>> = {
  'address.invalid': 'source.address_forbidden',
  'address.forbidden': 'source.address_forbidden',
  'address.unresolvable': 'source.unreachable',
  'fetch.status': 'source.status',
  'fetch.too_large': 'source.too_large',
  'fetch.timeout': 'source.too_slow',
  'fetch.too_slow': 'source.too_slow',
  'fetch.broken': 'source.unreachable',
  'fetch.too_many_redirects': 'source.redirects',
  'fetch.encoded': 'source.playlist_invalid',
}

export const faultOfFetching = (error: OutboundError): SourceFault =>
  new SourceFault(codesOfFetching[error.code], error.message, { cause: error })
