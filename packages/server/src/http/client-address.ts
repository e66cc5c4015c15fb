import { isIP, isIPv4, SocketAddress } from 'node:net'
import type { FastifyRequest } from 'fastify'

/**
 * The address of the client behind trusted proxies; empty when the connection was closed before it was read.
 *
 * A proxy may forward any text. An entry that is not an address is ignored, and the client is then the nearest known
 * address.
 */
export function clientAddressOf(request: Pick<FastifyRequest, 'ip' | 'ips'>): string {
  const chain = request.ips ?? [request.ip]
  const address = chain.findLast(isAddress)
  return address === undefined ? '' : canonical(address)
}

/** Fastify returns undefined for a closed connection, unlike its types. */
const isAddress = (text: string | undefined) => text !== undefined && isIP(text) !== 0

/** The normal form: limits per address must not be bypassed by another spelling. */
function canonical(text: string): string {
  const { address } = new SocketAddress({ address: text, family: isIPv4(text) ? 'ipv4' : 'ipv6' })
  const mapped = address.startsWith(MAPPED) ? address.slice(MAPPED.length) : ''
  return isIPv4(mapped) ? mapped : address
}

/** How a dual-stack socket writes an IPv4 address: RFC 4291 §2.5.5.2. */
const MAPPED = '::ffff:'
