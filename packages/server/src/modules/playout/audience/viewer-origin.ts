import type { IncomingMessage } from 'node:http'
import { BlockList, isIP } from 'node:net'
import { UNKNOWN_COUNTRY } from '@continuity/core/audience/audience-batch'

/** Where a viewer is, and whether it is one. The address itself is kept nowhere. */
export interface ViewerOrigin {
  readonly country: string
  /** A monitor or a bot that is left out by rule. */
  readonly isExcluded: boolean
}

export interface OriginRules {
  /** Undefined where it is not known. */
  countryOf?(address: string): string | undefined
  /** Addresses and networks whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[]
  readonly excludedNetworks: readonly string[]
  /** Parts of the User-Agent, in any case. */
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

/** The nearest address that is no proxy of ours. */
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
    // An address of version 4 in the form of version 6 is found under its own form too.
    return family !== 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4')
  }
}
