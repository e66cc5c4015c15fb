import { malformedUrls } from './malformed.ts'
import { innerAddresses, innerV6, notations } from './notations.ts'

export type HostileKind =
  | 'written out'
  | 'by a redirect'
  | 'by a name'
  | 'malformed'
  | 'port'
  | 'round and round'

/** An address that somebody sends us with bad intent. */
export interface HostileCase {
  readonly kind: HostileKind
  readonly url: string
  /** What the refusal's code may be. */
  readonly codes: readonly string[]
}

export interface Targets {
  /** Of the canary that listens on all addresses of this machine. */
  readonly canaryPort: number
  /** The one server that is allowed; it redirects to wherever its query says. */
  readonly allowedOrigin: string
}

/** A quarter of them encrypted: another path through the client. */
const schemeOf = (at: number): string => (at % 4 === 3 ? 'https' : 'http')

export function writtenOut({ canaryPort }: Targets): HostileCase[] {
  const hosts = [
    ...innerAddresses.flatMap((bytes) => Object.values(notations).map((write) => write(bytes))),
    ...innerV6.map((address) => `[${address}]`),
  ]
  return hosts.map((host, at) => ({
    kind: 'written out',
    url: `${schemeOf(at)}://${host}:${canaryPort}/a.mp4`,
    codes: ['address.forbidden', 'address.invalid'],
  }))
}

export const byRedirect = (targets: Targets): HostileCase[] =>
  [...writtenOut(targets), ...malformed(targets).filter(({ url }) => isLocation(url))].map(({ url }) => ({
    kind: 'by a redirect',
    url: `${targets.allowedOrigin}/?to=${encodeURIComponent(url)}`,
    codes: ['address.forbidden', 'address.invalid'],
  }))

/** What a header cannot hold never arrives as a redirect; what has no scheme leads back to the server itself. */
const isLocation = (url: string): boolean => /^[a-z]+:[\x21-\x7e]+$/i.test(url) && !/^http:\/?[^/]/.test(url)

export const malformed = ({ canaryPort }: Targets): HostileCase[] =>
  malformedUrls(canaryPort).map((url) => ({
    kind: 'malformed',
    url,
    codes: ['address.invalid', 'address.forbidden'],
  }))

/** Of services that would take a request for orders. */
const PORTS = [
  1, 21, 22, 23, 25, 53, 110, 135, 139, 143, 389, 445, 465, 587, 873, 2049, 3306, 5432, 6379, 9200,
]

export const otherPorts = (): HostileCase[] =>
  PORTS.flatMap((port) => [`http://public.hostile.test:${port}/`, `https://8.8.8.8:${port}/`]).map((url) => ({
    kind: 'port',
    url,
    codes: ['address.forbidden'],
  }))

/** Redirects that never end, at the allowed server itself. */
export const roundAndRound = ({ allowedOrigin }: Targets): HostileCase[] =>
  ['/loop', '/loop?', '/loop/../loop'].map((path) => ({
    kind: 'round and round',
    url: `${allowedOrigin}${path}`,
    codes: ['fetch.too_many_redirects'],
  }))
