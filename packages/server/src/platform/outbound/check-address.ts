import { isIP } from 'node:net'
import { isWebPort } from './address-rules.ts'
import { type AllowList, isAllowed, isName } from './allow-list.ts'
import { OutboundError } from './outbound-error.ts'

/** An address whose text is allowed. Its name is not resolved yet. */
export interface CheckedAddress {
  readonly url: URL
  readonly isEncrypted: boolean
}

/** Longer than any signed URL seen so far, shorter than the limits of common servers. */
const MOST_CHARACTERS = 4_096

/**
 * Checks an address from an untrusted source.
 *
 * Anything that two parsers could read differently is rejected, not corrected: spaces and line breaks, backslashes, user
 * names, missing slashes. Hosts in unusual notations are normalized (WHATWG URL §3.5); the normal form is checked and
 * connected to.
 */
export function checkAddress(text: string, allow: AllowList): CheckedAddress {
  if (text.length > MOST_CHARACTERS) throw invalid(`is longer than ${MOST_CHARACTERS} characters`)
  if (!PLAIN.test(text))
    throw invalid('must be http://… or https://… without spaces, line ends or backslashes')
  if (USER.test(text)) throw invalid('must not contain a user name or password; use a signed address instead')
  const url = URL.parse(text)
  if (url === null) throw invalid('cannot be read; check its host and port')
  // A trailing dot names the same host, but certificates and allow lists do not match it.
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1)
  const host = hostOf(url)
  if (isIP(host) === 0 && !isName(host)) throw invalid('has a host that is not a valid DNS name')
  checkPort(host, portOf(url), allow)
  url.hash = ''
  return { url, isEncrypted: url.protocol === 'https:' }
}

/** Checks a redirect location, which may be relative. */
export function checkLocation(location: string, from: URL, allow: AllowList): CheckedAddress {
  if (/[\\\p{Cc}]/u.test(location)) throw invalid('must not contain line breaks or backslashes')
  return checkAddress(URL.parse(location, from.href)?.href ?? location, allow)
}

const PLAIN = /^https?:\/\/[^\s\\/\p{Cc}][^\s\\\p{Cc}]*$/iu
const USER = /^https?:\/\/[^/?#]*@/i

function checkPort(host: string, port: number, allow: AllowList): void {
  if (isWebPort(port) || isAllowed(allow, host, port)) return
  const message = `The address uses port ${port}, which is not allowed; use 443 or 80.`
  throw new OutboundError('address.forbidden', message, { isFinal: true })
}

export const portOf = (url: URL): number =>
  url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)

/** Without the brackets around an IPv6 address. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1')

const invalid = (what: string): OutboundError =>
  new OutboundError('address.invalid', `The address ${what}.`, { isFinal: true })
