import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import type { ChannelState } from '@continuity/core/feed/channel-state'
import { encodeStep } from '@continuity/core/feed/feed-codec'
import type { FeedMessage } from '@continuity/core/feed/feed-message'
import type { FeedChannelId } from '../../platform/feed/feed-subjects.ts'
import { printFrame } from './snapshot-frame.ts'

export interface WriterOptions {
  readonly path: string
  readonly newPath: string
  /** All that counts. */
  readonly states: () => Iterable<ChannelState>
  /** Steps that wait for one that is missing: the feed delivers them once, so that they have to be written too. */
  readonly waitingSteps: () => Iterable<{ readonly key: FeedChannelId; readonly message: FeedMessage }>
  /** About as many bytes as they take. */
  readonly sizeBytes: () => number
  readonly onFault: (error: unknown) => void
}

/** A log shorter than this is not worth writing anew. */
const LEAST_BYTES = 1024 * 1024

/** What is encoded at once when the log is written anew: about two milliseconds' worth. */
const SLICE_BYTES = 256 * 1024

/** What may wait for the disk. One that has been slower than the feed for so long counts as failed. */
const WAITING_BYTES = 64 * 1024 * 1024

/**
 * Writes frames to the end of the log, and the log anew when it has become twice as long as what it says.
 *
 * When the disk fails, nothing is written behind what may be half a frame: the log is written anew, when somebody asks
 * for that.
 */
export class SnapshotWriter {
  readonly #options: WriterOptions
  #log: FileHandle | undefined // undefined when the disk has failed
  #logBytes: number
  #writtenBytes = 0 // of the states when they were last written
  #waiting: Buffer[] = []
  #waitingBytes = 0
  #working: Promise<void> | undefined
  #isWritingAnew = false

  constructor(options: WriterOptions, log: FileHandle | undefined, logBytes: number) {
    this.#options = options
    this.#log = log
    this.#logBytes = logBytes
  }

  get hasFailed(): boolean {
    return this.#log === undefined && !this.#isWritingAnew
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

  /** Writes what waits; with a disk that has failed, tries it again. */
  work(): void {
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined
      if (this.#waiting.length > 0) this.work()
    })
  }

  /** Until all that waits is written, or the disk has failed. */
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
      if (this.#log === undefined) await this.#writeAnew()
      while (this.#waiting.length > 0 || this.#isLong()) {
        await this.#writeWaiting()
        if (this.#isLong()) await this.#writeAnew()
      }
    } catch (error) {
      await this.#fail(error)
    }
  }

  /** Not by the size alone, which is a guess: one that is too low would have it written anew for ever. */
  #isLong(): boolean {
    const leastBytes = Math.max(LEAST_BYTES, this.#writtenBytes, this.#options.sizeBytes())
    return this.#logBytes > 2 * leastBytes
  }

  /** Gives what it has written. */
  async #writeWaiting(): Promise<Buffer> {
    if (this.#waitingBytes > WAITING_BYTES) throw new Error('The disk is slower than the feed')
    const bytes = Buffer.concat(this.#waiting)
    this.#waiting = []
    this.#waitingBytes = 0
    if (this.#log !== undefined) await writeAll(this.#log, bytes)
    this.#logBytes += bytes.length
    return bytes
  }

  async #writeAnew(): Promise<void> {
    const { path, newPath } = this.#options
    this.#isWritingAnew = true
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
      // What is left of it would only take up room, of which there may be none.
      await rm(newPath, { force: true }).catch(() => {})
      throw error
    }
    this.#isWritingAnew = false
  }

  /** What comes meanwhile goes into both logs: until the new one has its name, the old one counts. */
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
    this.#isWritingAnew = false
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

function* framesOf({ states, waitingSteps }: WriterOptions): Generator<Buffer> {
  // Collected before the states: a step that is applied meanwhile may be to a state that is written already.
  const waiting = [...waitingSteps()]
  for (const state of states())
    yield printFrame({ key: state.channel, step: encodeStep({ kind: 'whole', ...state }) })
  for (const { key, message } of waiting) yield printFrame({ key, step: encodeStep(message) })
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
