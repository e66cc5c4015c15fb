import type { OutboundRefused } from '../../platform/guarded-fetch/outbound-refused.ts'

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

/** Something about a source that its operator can see and mend. */
export class SourceFault extends Error {
  override readonly name = 'SourceFault'
  readonly code: SourceCode

  constructor(code: SourceCode, message: string, options?: { readonly cause: unknown }) {
    super(message, options)
    this.code = code
  }
}

/** What a server does for a moment: the next try may succeed. */
const passingCodes: ReadonlySet<SourceCode> = new Set([
  'source.unreachable',
  'source.status',
  'source.too_slow',
])

export const isPassing = ({ code }: SourceFault): boolean => passingCodes.has(code)

/** What a playlist looks like while its server writes it. */
export const isHalfWritten = ({ code }: SourceFault): boolean =>
  code === 'source.not_hls' || code === 'source.playlist_invalid'

const codesOfFetching: Readonly<Record<OutboundRefused['code'], SourceCode>> = {
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

export const faultOfFetching = (refused: OutboundRefused): SourceFault =>
  new SourceFault(codesOfFetching[refused.code], refused.message, { cause: refused })
