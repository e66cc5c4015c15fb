import { open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { type FeedChannelId, printChannelId, readChannelId } from '../../platform/feed/feed-subjects.ts'

/** The length of what follows, its sum, the length of the key, the key, the step. */
const HEAD_BYTES = 8

/** Twice what the feed carries in one message: a length beyond is none. */
const FRAME_BYTES_MAXIMUM = 16 * 1024 * 1024

const READ_BYTES = 1024 * 1024

export interface Frame {
  readonly key: FeedChannelId
  readonly step: Uint8Array
}

/** A step as it lies in the file. The step has a sum of its own, but no place for the channel that it is of. */
export function printFrame({ key, step }: Frame): Buffer {
  const name = Buffer.from(printChannelId(key), 'latin1')
  const frame = Buffer.allocUnsafe(HEAD_BYTES + 1 + name.length + step.length)
  frame[HEAD_BYTES] = name.length
  name.copy(frame, HEAD_BYTES + 1)
  frame.set(step, HEAD_BYTES + 1 + name.length)
  frame.writeUInt32BE(frame.length - HEAD_BYTES, 0)
  frame.writeUInt32BE(crc32(frame.subarray(HEAD_BYTES)), 4)
  return frame
}

/**
 * Reads a file of frames from its beginning, up to the first that is cut off, spoilt or refused.
 *
 * Gives how many bytes are good. A frame is only lent: it lies in the middle of what was read.
 */
export async function readFrames(file: string, take: (frame: Frame) => boolean): Promise<number> {
  await using handle = await open(file)
  // The same room again and again: what is left of many lies about between the things that stay.
  let room = Buffer.allocUnsafeSlow(READ_BYTES)
  let waiting = 0 // bytes at its beginning whose frame has not ended yet
  let goodBytes = 0
  for (;;) {
    const { bytesRead } = await handle.read(room, waiting, room.length - waiting, null)
    const { at, isSpoilt } = takeFrames(room.subarray(0, waiting + bytesRead), take)
    goodBytes += at
    if (isSpoilt || bytesRead === 0) return goodBytes
    waiting += bytesRead - at
    room.copyWithin(0, at, at + waiting)
    if (waiting === room.length) room = Buffer.concat([room], 2 * room.length)
  }
}

function takeFrames(bytes: Buffer, take: (frame: Frame) => boolean): { at: number; isSpoilt: boolean } {
  let at = 0
  while (bytes.length - at >= HEAD_BYTES) {
    const length = bytes.readUInt32BE(at)
    if (length < 2 || length > FRAME_BYTES_MAXIMUM) return { at, isSpoilt: true }
    const end = at + HEAD_BYTES + length
    if (end > bytes.length) break
    const body = bytes.subarray(at + HEAD_BYTES, end)
    const frame = crc32(body) === bytes.readUInt32BE(at + 4) ? readBody(body) : undefined
    if (frame === undefined || !take(frame)) return { at, isSpoilt: true }
    at = end
  }
  return { at, isSpoilt: false }
}

function readBody(body: Buffer): Frame | undefined {
  const step = 1 + body[0]!
  const key = readChannelId(body.toString('latin1', 1, step))
  if (key === undefined) return undefined
  // As plain bytes: what slices a Buffer gets no copy, and would keep all that was read with it.
  return { key, step: new Uint8Array(body.buffer, body.byteOffset + step, body.length - step) }
}
