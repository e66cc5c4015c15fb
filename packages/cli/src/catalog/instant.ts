const ZONE = /(?:Z|[+-]\d\d:?\d\d|\b(?:UT|UTC|GMT|[ECMP][SD]T))$/i

/** A time of an MRSS file (RFC 822 or W3C-DTF) in ISO 8601; undefined if it is invalid. Without a zone it is in UTC. */
export function readInstant(text: string): string | undefined {
  const trimmed = text.trim()
  const hasTime = /\d:\d\d/.test(trimmed)
  const atMs = Date.parse(
    !hasTime || ZONE.test(trimmed) ? trimmed : `${trimmed}${inIso(trimmed) ? 'Z' : ' GMT'}`,
  )
  return Number.isNaN(atMs) ? undefined : new Date(atMs).toISOString()
}

const inIso = (text: string): boolean => /^\d{4}-/.test(text)
