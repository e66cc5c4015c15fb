import { randomBytes } from 'node:crypto'

/**
 * A new id: a UUID of version 7 (RFC 9562 §5.7), 48 bits of time and 74 random bits. Later ids sort later, which keeps
 * indexes dense and lets a list sort by id instead of by time.
 */
export function newId(nowMs: number): string {
  const bytes = randomBytes(16)
  bytes.writeUIntBE(nowMs, 0, 6)
  bytes[6] = 0x70 | (bytes[6]! & 0x0f)
  bytes[8] = 0x80 | (bytes[8]! & 0x3f)
  return format(bytes)
}

/** A lower bound of the ids created at that time or later, and an upper bound of those before. */
export function lowestIdAt(atMs: number): string {
  const bytes = Buffer.alloc(16)
  bytes.writeUIntBE(atMs, 0, 6)
  return format(bytes)
}

/** Whether an external text is a well-formed id; any other is never found. */
export const isId = (text: string): boolean => ID.test(text)

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

function format(bytes: Buffer): string {
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
