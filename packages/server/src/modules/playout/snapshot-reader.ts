import { type FileHandle, open } from 'node:fs/promises'
import {
  bodyLengthOf,
  type Frame,
  HEAD_BYTES,
  LOOK_BYTES,
  looksLikeFrame,
  parseFrame,
} from './snapshot-frame.ts'

/** The result of reading a file of frames. */
export interface FramesRead {
  /** The end of the last frame. What follows is an incomplete frame. */
  readonly endBytes: number
  /** Corrupt stretches that were skipped, of one frame or more. */
  readonly corruptStretches: number
  readonly corruptBytes: number
}

const READ_BYTES = 1024 * 1024

/** Failed checksums may cover four times the file plus this, so that the work stays linear. */
const FAILED_BYTES = 64 * 1024 * 1024

/**
 * Reads a file of frames in order, and skips corrupt stretches.
 *
 * `take` receives a view of the read buffer, which is valid only during the call. It returns false for a frame that it
 * cannot use, which then counts as corrupt.
 */
export async function readFrames(file: string, take: (frame: Frame) => boolean): Promise<FramesRead> {
  await using handle = await open(file)
  const { size } = await handle.stat()
  const reader = openFrameReader(handle, size)
  let corruptStretches = 0
  let corruptBytes = 0
  let at = 0
  while (at < size) {
    const frame = await reader.frameAt(at)
    if (frame !== undefined && take(frame)) {
      at = frame.endBytes
      continue
    }
    const nextAt = frame?.endBytes ?? (await reader.findNext(at))
    const recovered = frame === undefined ? await reader.frameBetween(at, nextAt ?? size) : undefined
    if (nextAt === undefined && recovered === undefined && (await reader.isCutOff(at))) break
    if (recovered !== undefined) take(recovered)
    corruptStretches += 1
    corruptBytes += (nextAt ?? size) - at
    at = nextAt ?? size
  }
  return { endBytes: at, corruptStretches, corruptBytes }
}

interface FrameAt extends Frame {
  readonly endBytes: number
}

function openFrameReader(handle: FileHandle, size: number) {
  const file = openWindow(handle)
  let failedBytes = 0
  let isScanClean = true // the last scan found no frame head with a wrong checksum

  /** The frame with a body of that length. */
  const readFrame = async (at: number, length: number): Promise<FrameAt | undefined> => {
    const bytes = await file.bytesFrom(at, HEAD_BYTES + length)
    const body = bytes.subarray(HEAD_BYTES, HEAD_BYTES + length)
    const frame = parseFrame(bytes, body)
    if (frame === undefined) failedBytes += length
    return frame && { ...frame, endBytes: at + HEAD_BYTES + length }
  }
  const statedLength = async (at: number): Promise<number | undefined> => {
    const head = await file.bytesFrom(at, HEAD_BYTES)
    return head.length < HEAD_BYTES ? undefined : bodyLengthOf(head)
  }
  const frameAt = async (at: number): Promise<FrameAt | undefined> => {
    const length = await statedLength(at)
    const isInside = length !== undefined && at + HEAD_BYTES + length <= size
    return isInside ? readFrame(at, length) : undefined
  }
  const isWithinBudget = () => failedBytes <= 4 * size + FAILED_BYTES
  /** Tries every byte from here as the start of a frame. */
  const scan = async (from: number): Promise<number | undefined> => {
    const failedBefore = failedBytes
    for (let at = from; at < size && isWithinBudget(); ) {
      const bytes = await file.bytesFrom(at, LOOK_BYTES)
      const isLast = at + bytes.length >= size
      const found = findCandidate(bytes, isLast ? bytes.length - HEAD_BYTES : bytes.length - LOOK_BYTES + 1)
      at += found.offset
      if (!found.isCandidate) continue
      if ((await frameAt(at)) !== undefined) return at
      at += 1
    }
    isScanClean = isWithinBudget() && failedBytes === failedBefore
    return undefined
  }

  return {
    frameAt,
    /**
     * Where the next frame starts after a corrupt one.
     *
     * The length in the corrupt head is tried first. It is usually right, and then nothing inside the frame,
     * which contains text of accounts, can be mistaken for a frame.
     */
    async findNext(at: number): Promise<number | undefined> {
      const length = await statedLength(at)
      const endBytes = length === undefined ? size + 1 : at + HEAD_BYTES + length
      if (endBytes === size) return size
      if (endBytes < size && (await frameAt(endBytes)) !== undefined) return endBytes
      return scan(at + 1)
    },
    /** A frame of which only the length is corrupt: its checksum matches the bytes up to the next frame. */
    async frameBetween(at: number, nextAt: number): Promise<FrameAt | undefined> {
      const real = Buffer.alloc(HEAD_BYTES)
      real.writeUInt32BE(Math.max(0, nextAt - at - HEAD_BYTES), 0)
      const length = bodyLengthOf(real)
      return length === undefined ? undefined : readFrame(at, length)
    },
    /** Whether the rest of the file is an incomplete frame. */
    async isCutOff(at: number): Promise<boolean> {
      if (!isScanClean) return false
      const bytes = await file.bytesFrom(at, LOOK_BYTES)
      const length = bytes.length < HEAD_BYTES ? undefined : bodyLengthOf(bytes)
      const isLonger = length === undefined || at + HEAD_BYTES + length > size
      return isLonger && looksLikeFrame(bytes, 0)
    },
  }
}

/** The first offset before `until` at which a frame may start, or how far there is none. */
function findCandidate(
  bytes: Buffer,
  until: number,
): { readonly offset: number; readonly isCandidate: boolean } {
  for (let offset = 0; offset < until; offset += 1)
    // The first byte of a length is 0, or 1 for the longest one: this skips nearly everything.
    if (bytes[offset]! <= 1 && looksLikeFrame(bytes, offset)) return { offset, isCandidate: true }
  return { offset: Math.max(1, until), isCandidate: false }
}

/** Reads a file through one reused buffer: a new one for each read would fragment the heap. */
function openWindow(handle: FileHandle) {
  let room = Buffer.allocUnsafeSlow(READ_BYTES)
  let start = 0 // file offset of the buffer
  let filled = 0
  const moveTo = (at: number, least: number) => {
    const offset = at - start
    const kept = offset >= 0 && offset < filled ? room.subarray(offset, filled) : room.subarray(0, 0)
    const next = least > room.length ? Buffer.allocUnsafeSlow(Math.max(least, 2 * room.length)) : room
    kept.copy(next)
    room = next
    start = at
    filled = kept.length
  }
  return {
    /** The buffer from there: at least `least` bytes, or all up to the end of the file. */
    async bytesFrom(at: number, least: number): Promise<Buffer> {
      if (at < start || at + least > start + filled) moveTo(at, least)
      while (start + filled < at + least) {
        const { bytesRead } = await handle.read(room, filled, room.length - filled, start + filled)
        if (bytesRead === 0) break
        filled += bytesRead
      }
      return room.subarray(at - start, filled)
    },
  }
}
