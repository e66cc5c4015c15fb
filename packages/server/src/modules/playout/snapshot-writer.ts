import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import type { ChannelState } from '@continuity/core/feed/channel-state'
import { encodeUpdate } from '@continuity/core/feed/feed-codec'
import type { FeedMessage } from '@continuity/core/feed/feed-message'
import type { FeedChannelId } from '../../platform/feed/feed-subjects.ts'
import { printFrame } from './snapshot-frame.ts'

export interface WriterOptions {
  readonly path: string
  readonly newPath: string
  /** The states of all channels. */
  readonly states: () => Iterable<ChannelState>
  /** Updates that wait for a missing one: the feed delivers them once, so they must be written too. */
  readonly waitingUpdates: () => Iterable<{ readonly key: FeedChannelId; readonly message: FeedMessage }>
  /** Approximate size of the states on disk. */
  readonly sizeBytes: () => number
  readonly onFault: (error: unknown) => void
}

/** A log shorter than this is not rewritten. */
const LEAST_BYTES = 1024 * 1024

/** Bytes encoded at once when the log is rewritten: about two milliseconds of work. */
const SLICE_BYTES = 256 * 1024

/** Limit of bytes that wait for the disk. A disk that is slower than the feed for this long counts as failed. */
const WAITING_BYTES = 64 * 1024 * 1024

/**
 * Appends frames to the log, and rewrites the log when it has become twice as long as the states it contains.
 *
 * After a disk failure nothing is appended, since the last frame may be incomplete: `work` rewrites the log.
 */
export class SnapshotWriter {
  readonly #options: WriterOptions
  #log: FileHandle | undefined // undefined when the disk has failed
  #logBytes: number
  #writtenBytes = 0 // size of the states when last written
  #waiting: Buffer[] = []
  #waitingBytes = 0
  #working: Promise<void> | undefined
  #isRewriting = false

  constructor(options: WriterOptions, log: FileHandle | undefined, logBytes: number) {
    this.#options = options
    this.#log = log
    this.#logBytes = logBytes
  }

  get hasFailed(): boolean {
    return this.#log === undefined && !this.#isRewriting
  }

  get logBytes(): number {
    return this.#logBytes
  }

  append(frame: Buffer): void {
    if (this.hasFailed) return
    this.#waiting.push(frame)
    this.#waitingBytes += frame.length
    this.work()
  }

  /** Writes pending frames; after a disk failure, rewrites the log. */
  work(): void {
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined
      if (this.#waiting.length > 0) this.work()
    })
  }

  /** Resolves when all pending frames are written, or the disk has failed. */
  async flush(): Promise<void> {
    while (this.#working !== undefined) await this.#working
  }

  async close(): Promise<void> {
    await this.flush()
    await this.#log?.close()
    this.#log = undefined
  }

  async #work(): Promise<void> {
    try {
      if (this.#log === undefined) await this.#rewrite()
      while (this.#waiting.length > 0 || this.#isLong()) {
        await this.#writeWaiting()
        if (this.#isLong()) await this.#rewrite()
      }
    } catch (error) {
      await this.#fail(error)
    }
  }

  /** Not by `sizeBytes` alone, which is an estimate: too low a value would rewrite the log again and again. */
  #isLong(): boolean {
    const leastBytes = Math.max(LEAST_BYTES, this.#writtenBytes, this.#options.sizeBytes())
    return this.#logBytes > 2 * leastBytes
  }

  /** Returns the bytes written. */
  async #writeWaiting(): Promise<Buffer> {
    if (this.#waitingBytes > WAITING_BYTES) throw new Error('the disk is slower than the feed')
    const bytes = Buffer.concat(this.#waiting)
    this.#waiting = []
    this.#waitingBytes = 0
    if (this.#log !== undefined) await writeAll(this.#log, bytes)
    this.#logBytes += bytes.length
    return bytes
  }

  async #rewrite(): Promise<void> {
    const { path, newPath } = this.#options
    this.#isRewriting = true
    const next = await open(newPath, 'w')
    try {
      const logBytes = await this.#writeStates(next)
      await next.sync()
      await rename(newPath, path)
      await this.#log?.close()
      this.#log = next
      this.#logBytes = logBytes
    } catch (error) {
      await next.close().catch(() => {})
      // The disk may be full.
      await rm(newPath, { force: true }).catch(() => {})
      throw error
    }
    this.#isRewriting = false
  }

  /** Frames appended meanwhile go into both logs: the old one is valid until the new one is renamed. */
  async #writeStates(next: FileHandle): Promise<number> {
    const meanwhile: Buffer[] = []
    this.#writtenBytes = 0
    for (const slice of slicesOf(framesOf(this.#options))) {
      await writeAll(next, slice)
      this.#writtenBytes += slice.length
      if (this.#waiting.length > 0) meanwhile.push(await this.#writeWaiting())
    }
    const rest = Buffer.concat(meanwhile)
    await writeAll(next, rest)
    return this.#writtenBytes + rest.length
  }

  async #fail(fault: unknown): Promise<void> {
    this.#isRewriting = false
    this.#waiting = []
    this.#waitingBytes = 0
    const log = this.#log
    this.#log = undefined
    this.#options.onFault(fault)
    await log?.close().catch(() => {})
  }
}

async function writeAll(file: FileHandle, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await file.write(bytes, at)).bytesWritten
}

function* framesOf({ states, waitingUpdates }: WriterOptions): Generator<Buffer> {
  // Collected before the states: an update applied meanwhile may belong to a state that is already written.
  const waiting = [...waitingUpdates()]
  for (const state of states())
    yield printFrame({ key: state.channel, update: encodeUpdate({ kind: 'whole', ...state }) })
  for (const { key, message } of waiting) yield printFrame({ key, update: encodeUpdate(message) })
}

function* slicesOf(frames: Iterable<Buffer>): Generator<Buffer> {
  let slice: Buffer[] = []
  let bytes = 0
  for (const frame of frames) {
    slice.push(frame)
    bytes += frame.length
    if (bytes < SLICE_BYTES) continue
    yield Buffer.concat(slice)
    slice = []
    bytes = 0
  }
  yield Buffer.concat(slice)
}
