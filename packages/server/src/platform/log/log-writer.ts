import { write, writeSync } from 'node:fs'
import { LINE_BYTES } from './log-line.ts'

/** Lines are buffered up to this size, or for this long, before they are written. */
const BATCH_BYTES = 64 * 1024
const BATCH_MS = 100

/** The most that is buffered for a slow disk or pipe. Lines beyond it are dropped and counted. */
const WAITING_BYTES = 8 * 1024 * 1024

/** How long a flush at exit retries while the reader is busy. */
const LAST_MS = 1_000

export interface LogWriter {
  write(line: string): void
  /** Writes everything buffered. A write already passed to the kernel completes by itself, even at exit. */
  flushSync(): void
  droppedLines(): number
}

/**
 * Writes lines to a file descriptor in large blocks, in the background.
 *
 * Lines are encoded straight into a buffer: joining them as strings and encoding the result costs more than the
 * rest of a log line.
 */
export function createLogWriter(fd: number): LogWriter {
  let batch = Buffer.allocUnsafe(BATCH_BYTES)
  let used = 0
  let waiting: Buffer[] = []
  let waitingBytes = 0
  let writing: Buffer | undefined // the write in progress; set by `next` and its callback only
  let isTimed = false
  let dropped = 0

  const closeBatch = () => {
    if (used === 0) return
    waiting.push(batch.subarray(0, used))
    waitingBytes += used
    batch = Buffer.allocUnsafe(BATCH_BYTES)
    used = 0
  }
  const next = () => {
    writing = waiting.shift()
    if (writing === undefined) return
    write(fd, writing, (error, written) => {
      // A full pipe returns EAGAIN and accepts the rest later.
      if (error !== null && error.code !== 'EAGAIN') return giveUp()
      const left = writing!.subarray(error === null ? written : 0)
      waitingBytes -= error === null ? written : 0
      if (left.length > 0) waiting.unshift(left)
      writing = undefined
      if (error === null) next()
      else setTimeout(start, 10).unref()
    })
  }
  /** The reader has gone, or the disk is full; everything buffered is lost, and counted. */
  const giveUp = () => {
    for (const block of [writing ?? Buffer.alloc(0), ...waiting]) dropped += countLines(block)
    waiting = []
    waitingBytes = 0
    writing = undefined
  }
  const start = () => {
    if (writing === undefined) next()
  }
  const flush = () => {
    isTimed = false
    closeBatch()
    start()
  }

  return {
    write(given) {
      // The logger writes no longer line; this only keeps the buffer safe.
      const line = given.length <= LINE_BYTES ? given : `${given.slice(0, LINE_BYTES)}\n`
      // One UTF-16 unit takes at most three bytes.
      if (used + line.length * 3 > BATCH_BYTES) {
        closeBatch()
        start()
      }
      if (waitingBytes > WAITING_BYTES) {
        dropped += 1
        return
      }
      used += batch.write(line, used)
      if (isTimed) return
      isTimed = true
      setTimeout(flush, BATCH_MS).unref()
    },
    flushSync() {
      closeBatch()
      const rest = waiting
      waiting = []
      waitingBytes = writing?.length ?? 0
      const untilMs = performance.now() + LAST_MS
      for (const block of rest) if (!writeAll(fd, block, untilMs)) dropped += countLines(block)
    },
    droppedLines: () => dropped,
  }
}

/** Whether everything was written. Retries while the reader is busy, until `untilMs`. */
function writeAll(fd: number, bytes: Buffer, untilMs: number): boolean {
  let at = 0
  while (at < bytes.length) {
    try {
      at += writeSync(fd, bytes, at)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || performance.now() > untilMs) return false
    }
  }
  return true
}

const NEWLINE = 0x0a
const countLines = (bytes: Buffer) => bytes.reduce((count, byte) => (byte === NEWLINE ? count + 1 : count), 0)
