import { malformedUrls } from './malformed.ts'
import { innerAddresses, innerV6, notations } from './notations.ts'

export type HostileKind =
  | 'written out'
  | 'by a redirect'
  | 'by a name'
  | 'malformed'
  | 'port'
  | 'redirect loop'

/** A malicious address. */
export interface HostileCase {
  readonly kind: HostileKind
  readonly url: string
  /** The allowed error codes. */
  readonly codes: readonly string[]
}

export interface Targets {
  /** Port of the canary that listens on all addresses of this machine. */
  readonly canaryPort: number
  /** The one allowed server; it redirects to the address in its query. */
  readonly allowedOrigin: string
}

/** A quarter of them uses TLS: another code path of the client. */
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

/** Text that a header cannot contain is not sent as a redirect; without a scheme it leads back to the server itself. */
const isLocation = (url: string): boolean => /^[a-z]+:[\x21-\x7e]+$/i.test(url) && !/^http:\/?[^/]/.test(url)

export const malformed = ({ canaryPort }: Targets): HostileCase[] =>
  malformedUrls(canaryPort).map((url) => ({
    kind: 'malformed',
    url,
    codes: ['address.invalid', 'address.forbidden'],
  }))

/** Ports of services that could interpret a request as commands. */
const PORTS = [
  1, 21, 22, 23, 25, 53, 110, 135, 139, 143, 389, 445, 465, 587, 873, 2049, 3306, 5432, 6379, 9200,
]

export const otherPorts = (): HostileCase[] =>
  PORTS.flatMap((port) => [`http://public.hostile.test:${port}/`, `https://8.8.8.8:${port}/`]).map((url) => ({
    kind: 'port',
    url,
    codes: ['address.forbidden'],
  }))

/** Endless redirects at the allowed server itself. */
export const redirectLoops = ({ allowedOrigin }: Targets): HostileCase[] =>
  ['/loop', '/loop?', '/loop/../loop'].map((path) => ({
    kind: 'redirect loop',
    url: `${allowedOrigin}${path}`,
    codes: ['fetch.too_many_redirects'],
  }))
