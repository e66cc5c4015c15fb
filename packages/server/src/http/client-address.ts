import { isIP, isIPv4, SocketAddress } from 'node:net'
import type { FastifyRequest } from 'fastify'

/**
 * The address of the client that a request comes from, past the proxies that
 * we trust; empty when the connection was gone before anybody asked.
 *
 * A proxy may pass on whatever it was sent. What is no address there counts as
 * not said, and the client is then the nearest one that is known.
 */
export function clientAddressOf(request: Pick<FastifyRequest, 'ip' | 'ips'>): string {
  const chain = request.ips ?? [request.ip]
  const address = chain.findLast(isAddress)
  return address === undefined ? '' : canonical(address)
}

/** The framework gives undefined for a connection that is closed, whatever its types say. */
const isAddress = (text: string | undefined) => text !== undefined && isIP(text) !== 0

/** One address has one spelling: what counts by address must not be fooled by a second one. */
function canonical(text: string): string {
  const { address } = new SocketAddress({ address: text, family: isIPv4(text) ? 'ipv4' : 'ipv6' })
  const mapped = address.startsWith(MAPPED) ? address.slice(MAPPED.length) : ''
  return isIPv4(mapped) ? mapped : address
}

/** How a socket that takes both families writes an IPv4 address: RFC 4291 §2.5.5.2. */
const MAPPED = '::ffff:'
