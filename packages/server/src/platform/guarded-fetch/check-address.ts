import { isIP } from 'node:net'
import { isWebPort } from './address-rules.ts'
import { type AllowList, isAllowed, isName } from './allow-list.ts'
import { OutboundRefused } from './outbound-refused.ts'

/** An address that may be asked for, as far as its text tells. What its name resolves to is not known yet. */
export interface CheckedAddress {
  readonly url: URL
  readonly isEncrypted: boolean
}

/** Longer than any signed address that we have seen, shorter than what makes a server stumble. */
const MOST_CHARACTERS = 4_096

/**
 * Reads an address that a stranger gave.
 *
 * Whatever two readers could understand differently is refused rather than
 * mended: spaces and line ends, backslashes, user names, missing slashes. Hosts
 * in odd notations are brought to the plain one (WHATWG URL §3.5), which is what
 * is checked and what is connected to.
 */
export function checkAddress(text: string, allow: AllowList): CheckedAddress {
  if (text.length > MOST_CHARACTERS) throw invalid(`is longer than ${MOST_CHARACTERS} characters`)
  if (!PLAIN.test(text))
    throw invalid('must be http://… or https://… without spaces, line ends or backslashes')
  if (USER.test(text)) throw invalid('must not hold a user name or password; use a signed address instead')
  const url = URL.parse(text)
  if (url === null) throw invalid('cannot be read; check its host and port')
  // A dot at the end means the same host, but not to certificates and allow lists.
  if (url.hostname.endsWith('.')) url.hostname = url.hostname.slice(0, -1)
  const host = hostOf(url)
  if (isIP(host) === 0 && !isName(host)) throw invalid('has a host that is no name of the DNS')
  checkPort(host, portOf(url), allow)
  url.hash = ''
  return { url, isEncrypted: url.protocol === 'https:' }
}

/** Reads where a server redirects to, which may be told from where it stands. */
export function checkLocation(location: string, from: URL, allow: AllowList): CheckedAddress {
  if (/[\\\p{Cc}]/u.test(location)) throw invalid('must not hold line ends or backslashes')
  return checkAddress(URL.parse(location, from.href)?.href ?? location, allow)
}

const PLAIN = /^https?:\/\/[^\s\\/\p{Cc}][^\s\\\p{Cc}]*$/iu
const USER = /^https?:\/\/[^/?#]*@/i

function checkPort(host: string, port: number, allow: AllowList): void {
  if (isWebPort(port) || isAllowed(allow, host, port)) return
  const message = `The address asks for port ${port}, which is not one that files are served on; use 443 or 80.`
  throw new OutboundRefused('address.forbidden', message, { isFinal: true })
}

export const portOf = (url: URL): number =>
  url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port)

/** Without the brackets around an IPv6 address. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[(.*)\]$/, '$1')

const invalid = (what: string): OutboundRefused =>
  new OutboundRefused('address.invalid', `The address ${what}.`, { isFinal: true })
