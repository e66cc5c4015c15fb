import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

/**
 * Whether an address belongs to a machine on the public internet.
 *
 * Only plain unicast passes. What carries an IPv4 address inside (mapped,
 * compatible, NAT64, 6to4, Teredo) is refused as a whole: nobody has to publish
 * a file under such an address, and each is a second way to write a private one.
 */
export function isPublicAddress(text: string): boolean {
  // A zone names an interface of this machine, so what carries one is never public.
  if (isIP(text) === 0 || text.includes('%')) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return false
  return address.kind() === 'ipv6' ? address.match(GLOBAL_UNICAST) : !CLOUD_HOSTS.has(text)
}

/** RFC 4291 §2.4 and the registry of IANA: all that is handed out lies in here, and only some of it is special. */
const GLOBAL_UNICAST = ipaddr.parseCIDR('2000::/3')

/** Public by number, but a machine in that cloud gets its credentials there. */
const CLOUD_HOSTS: ReadonlySet<string> = new Set(['168.63.129.16'])

/** One spelling for one address, so that two can be compared. */
export const sameSpelling = (address: string): string => ipaddr.parse(address).toNormalizedString()

/**
 * Whether a port may be asked for. The addresses are public, so this is not for
 * our sake: nobody shall make us knock at strangers' mail and databases.
 */
export const isWebPort = (port: number): boolean =>
  port >= 1_024 ? !OTHER_SERVICES.has(port) : port === 80 || port === 443

/** Services above the system ports that would take the lines of a request for orders, or that nobody shall be scanned for. */
const OTHER_SERVICES: ReadonlySet<number> = new Set([
  1433, 1521, 1723, 2049, 2181, 2375, 2376, 2379, 2380, 3306, 3389, 4222, 5060, 5061, 5432, 5672, 5900, 5984,
  6000, 6379, 6443, 6566, 6665, 6666, 6667, 6668, 6669, 6697, 8086, 9042, 9092, 9200, 9300, 10_250, 11_211,
  26_379, 27_017,
])
