import { readAddress } from '../../platform/ip-address.ts'

const words = new Uint32Array(4)

/**
 * What tries are counted by: an IPv4 address, or the first half of an IPv6 one.
 * A single customer line has at least that whole half to choose addresses from.
 */
export function addressGroup(address: string): string {
  if (readAddress(address, words) !== 4) return address
  return [words[0]!, words[1]!].map((word) => word.toString(16).padStart(8, '0')).join('')
}
