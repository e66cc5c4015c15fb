import { readAddress } from '../../../platform/geo/ip-address.ts'

const words = new Uint32Array(4)

/**
 * The key by which attempts are counted: an IPv4 address or an IPv6 /64 network,
 * because a single customer connection has at least a /64 of addresses.
 */
export function addressGroup(address: string): string {
  if (readAddress(address, words) !== 4) return address
  return [words[0]!, words[1]!].map((word) => word.toString(16).padStart(8, '0')).join('')
}
