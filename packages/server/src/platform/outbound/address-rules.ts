import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Whether an address belongs to a machine on the public internet.
 *
 * Only plain unicast addresses pass. Addresses that embed an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo) are
 * rejected as a whole: no public file server needs one, and each is a second spelling of a private address.
 */
export function isPublicAddress(text: string): boolean {
  // A zone names an interface of this machine, so an address with one is never public.
  if (isIP(text) === 0 || text.includes('%')) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return false
  return address.kind() === 'ipv6' ? address.match(GLOBAL_UNICAST) : !CLOUD_HOSTS.has(text)
}

/** RFC 4291 §2.4 and the IANA registry: all allocated addresses are in this block, and only some of it is special. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3')

/** A public address, at which a machine of that cloud gets its credentials. */
const CLOUD_HOSTS: ReadonlySet<string> = new Set(['168.63.129.16'])

/** The normal form of an address, for comparisons. */
export const sameSpelling = (address: string): string => ipaddr.parse(address).toNormalizedString()

/**
 * Whether a port may be connected to. The addresses are public, so this protects others: customers must not use us to
 * probe mail servers and databases.
 */
export const isWebPort = (port: number): boolean =>
  port >= 1_024 ? !OTHER_SERVICES.has(port) : port === 80 || port === 443

/** Services above the system ports that could read a request as commands, or that must not be scanned. */
const OTHER_SERVICES: ReadonlySet<number> = new Set([
  1433, 1521, 1723, 2049, 2181, 2375, 2376, 2379, 2380, 3306, 3389, 4222, 5060, 5061, 5432, 5672, 5900, 5984,
  6000, 6379, 6443, 6566, 6665, 6666, 6667, 6668, 6669, 6697, 8086, 9042, 9092, 9200, 9300, 10_250, 11_211,
  26_379, 27_017,
])
