import { crc32 } from 'node:zlib'
import { type FeedChannelId, printChannelId, readChannelId } from '../../platform/feed/feed-subjects.ts'

/** The length of the body and its CRC-32. The body is the length of the channel key, the key and the update. */
export const HEAD_BYTES = 8

/** Twice the largest message of the feed: a longer length is corrupt. */
export const BODY_BYTES_MAXIMUM = 16 * 1024 * 1024

/** The length of the key is one byte. */
const KEY_BYTES_MAXIMUM = 255

/** The bytes that `looksLikeFrame` reads. */
export const LOOK_BYTES = HEAD_BYTES + 1 + KEY_BYTES_MAXIMUM

export interface Frame {
  readonly key: FeedChannelId
  readonly update: Uint8Array
}

/** An update as it is stored in the file. The update has its own checksum, but does not contain its channel key. */
export function printFrame({ key, update }: Frame): Buffer {
  const name = Buffer.from(printChannelId(key), 'latin1')
  const frame = Buffer.allocUnsafe(HEAD_BYTES + 1 + name.length + update.length)
  frame[HEAD_BYTES] = name.length
  name.copy(frame, HEAD_BYTES + 1)
  frame.set(update, HEAD_BYTES + 1 + name.length)
  frame.writeUInt32BE(frame.length - HEAD_BYTES, 0)
  frame.writeUInt32BE(crc32(frame.subarray(HEAD_BYTES)), 4)
  return frame
}

/** The length of the body in a head; undefined if no frame can have that length. */
export function bodyLengthOf(bytes: Buffer, at = 0): number | undefined {
  const length = bytes.readUInt32BE(at)
  return length < 2 || length > BODY_BYTES_MAXIMUM ? undefined : length
}

/** The frame of a head and its body; undefined if the checksum or the key is wrong. A view, not a copy. */
export function parseFrame(head: Buffer, body: Buffer): Frame | undefined {
  if (crc32(body) !== head.readUInt32BE(4)) return undefined
  const updateAt = 1 + body[0]!
  const key = readChannelId(body.toString('latin1', 1, updateAt))
  if (key === undefined) return undefined
  // A plain Uint8Array: slicing a Buffer does not copy, and would keep the whole read buffer in memory.
  return { key, update: new Uint8Array(body.buffer, body.byteOffset + updateAt, body.length - updateAt) }
}

const DOT = '.'.charCodeAt(0)
const FIRST_PRINTABLE = 0x21
const LAST_PRINTABLE = 0x7e

/**
 * Whether a frame may begin here, from its length and its key: a cheap filter before the checksum.
 *
 * Bytes missing at the end of the file count as matching.
 */
export function looksLikeFrame(bytes: Buffer, at: number): boolean {
  if (bytes.length - at < HEAD_BYTES) return true
  const length = bodyLengthOf(bytes, at)
  if (length === undefined) return false
  const keyAt = at + HEAD_BYTES + 1
  if (keyAt > bytes.length) return true
  const keyLength = bytes[keyAt - 1]!
  return keyLength < length && looksLikeKey(bytes, keyAt, keyAt + keyLength)
}

/** An account and a channel with a dot between them. */
function looksLikeKey(bytes: Buffer, start: number, end: number): boolean {
  let dots = 0
  for (let at = start; at < Math.min(end, bytes.length); at += 1) {
    const byte = bytes[at]!
    if (byte < FIRST_PRINTABLE || byte > LAST_PRINTABLE) return false
    if (byte !== DOT) continue
    if (at === start || at === end - 1) return false
    dots += 1
  }
  return dots === 1 || (dots === 0 && end > bytes.length)
}
