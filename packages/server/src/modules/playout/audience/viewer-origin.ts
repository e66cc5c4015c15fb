import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { UNKNOWN_COUNTRY } from '@continuity/core/audience/audience-batch'

/** The country of a viewer, and whether it counts. The address itself is not stored. */
export interface ViewerOrigin {
  readonly country: string
  /** A monitor or a bot that is excluded by the rules. */
  readonly isExcluded: boolean
}

export interface OriginRules {
  /** Undefined if unknown. */
  countryOf?(address: string): string | undefined
  /** Addresses and networks whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[]
  readonly excludedNetworks: readonly string[]
  /** Parts of the User-Agent, ignoring case. */
  readonly excludedAgents: readonly string[]
}

export function createOriginReader(rules: OriginRules): (request: IncomingMessage) => ViewerOrigin {
  const isTrusted = networksOf(rules.trustedProxies)
  const isInExcluded = networksOf(rules.excludedNetworks)
  const agents = rules.excludedAgents.map((part) => part.toLowerCase())
  return (request) => {
    const address = clientAddress(request, isTrusted)
    const agent = (request.headers['user-agent'] ?? '').toLowerCase()
    return {
      country: rules.countryOf?.(address) ?? UNKNOWN_COUNTRY,
      isExcluded: isInExcluded(address) || agents.some((part) => agent.includes(part)),
    }
  }
}

type IsInNetwork = (address: string) => boolean

/** The nearest address that is not a trusted proxy. */
function clientAddress({ socket, headers }: IncomingMessage, isTrusted: IsInNetwork): string {
  let address = socket.remoteAddress ?? ''
  const forwarded = headers['x-forwarded-for']
  if (forwarded === undefined || !isTrusted(address)) return address
  for (const before of String(forwarded).split(',').reverse()) {
    const text = before.trim()
    if (isIP(text) === 0) break
    address = text
    if (!isTrusted(address)) break
  }
  return address
}

function networksOf(networks: readonly string[]): IsInNetwork {
  if (networks.length === 0) return () => false
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    list.addSubnet(address, prefix === undefined ? (family === 'ipv6' ? 128 : 32) : Number(prefix), family)
  }
  return (address) => {
    const family = isIP(address)
    // BlockList also matches IPv4-mapped IPv6 addresses against IPv4 networks.
    return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4')
  }
}
