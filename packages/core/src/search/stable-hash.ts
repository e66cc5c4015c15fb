// FNV-1a over the UTF-16 units of a text. Its values are in stored rows, so it may never change.

/** 12 bits, in base 36. */
export function shortHash(text: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  return ((hash ^ (hash >>> 12) ^ (hash >>> 24)) & 0xfff).toString(36)
}

/** 64 bits, in hex. */
export function longHash(text: string): string {
  let hash = 0xcbf29ce484222325n
  for (let at = 0; at < text.length; at += 1) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(at))) * 0x100000001b3n)
  }
  return hash.toString(16).padStart(16, '0')
}
