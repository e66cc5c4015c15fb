/**
 * Parses an IP address into 32-bit words: one for IPv4, four for IPv6, the highest first. Returns the number of words, or
 * 0 for any other text.
 *
 * The caller provides the array, because files of addresses have more than a million of them.
 */
export function readAddress(text: string, words: Uint32Array): 0 | 1 | 4 {
  if (text.includes(':')) return readV6(text, words) ? 4 : 0
  const word = readV4(text)
  words[0] = word
  return word < 0 ? 0 : 1
}

/** Whether these four words are an IPv4-mapped IPv6 address (RFC 4291 §2.5.5.2); the last word is the IPv4 address. */
export const isMapped = (words: Uint32Array): boolean =>
  words[0] === 0 && words[1] === 0 && words[2] === 0xffff

const ZERO = 48
const DOT = 46

/** Four numbers without leading zeros, which some parsers read as octal; -1 for anything else. */
function readV4(text: string): number {
  let word = 0
  let value = -1
  let dots = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === DOT) {
      if (value < 0 || dots === 3) return -1
      word = word * 256 + value
      value = -1
      dots += 1
    } else {
      const digit = code - ZERO
      if (digit < 0 || digit > 9 || value === 0) return -1
      value = value < 0 ? digit : value * 10 + digit
      if (value > 255) return -1
    }
  }
  return value < 0 || dots !== 3 ? -1 : word * 256 + value
}

/** RFC 4291 §2.2. A zone, as in fe80::1%eth0, is not part of an address. */
function readV6(text: string, words: Uint32Array): boolean {
  const halves = text.split('::')
  const head = readGroups(halves[0] ?? '', halves.length === 1)
  const tail = halves.length === 1 ? [] : readGroups(halves[1] ?? '', true)
  if (halves.length > 2 || head === undefined || tail === undefined) return false
  const missing = 8 - head.length - tail.length
  // `::` stands for one group at least.
  if (halves.length === 1 ? missing !== 0 : missing < 1) return false
  words.fill(0, 0, 4)
  for (let at = 0; at < head.length; at += 1) put(words, at, head[at] ?? 0)
  for (let at = 0; at < tail.length; at += 1) put(words, at + head.length + missing, tail[at] ?? 0)
  return true
}

function put(words: Uint32Array, group: number, value: number): void {
  const word = words[group >> 1] ?? 0
  words[group >> 1] = group % 2 === 0 ? value * 65_536 : word + value
}

function readGroups(text: string, mayEndInV4: boolean): number[] | undefined {
  if (text === '') return []
  const groups: number[] = []
  const parts = text.split(':')
  for (const [index, part] of parts.entries()) {
    if (mayEndInV4 && index === parts.length - 1 && part.includes('.')) {
      const word = readV4(part)
      if (word < 0) return undefined
      groups.push(Math.floor(word / 65_536), word % 65_536)
    } else {
      if (!GROUP.test(part)) return undefined
      groups.push(Number.parseInt(part, 16))
    }
  }
  return groups
}

const GROUP = /^[0-9a-f]{1,4}$/i
