import { type FileHandle, link, mkdir, open, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import type { FeedMessage } from '@continuity/core/feed/feed-message'
import type { Clock } from '../../platform/clock/clock.ts'
import type { FeedChannelId } from '../../platform/feed/feed-subjects.ts'
import { readStep } from '../../platform/feed/read-step.ts'
import { printFrame } from './snapshot-frame.ts'
import { readFrames } from './snapshot-reader.ts'
import { SnapshotWriter, type WriterOptions } from './snapshot-writer.ts'

/**
 * A node's copy of the feed on its own disk: from it the node comes back when nobody is there to tell it anything.
 *
 * It is a log of steps as the feed carries them. The feed holds them too, so that nothing waits for the disk, and one
 * that fails stops nobody.
 */
export interface Snapshot {
  append(key: FeedChannelId, step: Uint8Array): void
  /** To be called about once a second: a disk that failed is tried again once a minute. */
  retry(): void
  /** Until everything that was appended is written, or the disk has failed. */
  flush(): Promise<void>
  close(): Promise<void>
  figures(): SnapshotFigures
}

export interface SnapshotFigures {
  readonly logBytes: number
  /** Whether the last frame was incomplete at the start and was cut off: normal after a kill. */
  readonly isCut: boolean
  /** Corrupt stretches of the log that were skipped at the start, of one frame or more each. */
  readonly corruptStretches: number
  readonly corruptBytes: number
  /** Where the corrupt log was kept. */
  readonly keptAside: string | undefined
  readonly faults: number
}

export interface SnapshotOptions
  extends Pick<WriterOptions, 'states' | 'waitingSteps' | 'sizeBytes' | 'onFault'> {
  readonly folder: string
  readonly clock: Clock
  readonly learn: (key: FeedChannelId, message: FeedMessage) => void
}

const RETRY_MS = 60_000

/** Reads what is stored and continues to write behind it. */
export async function openSnapshot(options: SnapshotOptions): Promise<Snapshot> {
  const { folder, states, waitingSteps, sizeBytes, clock } = options
  const path = join(folder, 'steps.log')
  const newPath = join(folder, 'steps.new')
  let faults = 0
  let failedMs: number | undefined // when the disk failed, or was last tried; undefined: it is well
  const onFault = (error: unknown) => {
    faults += 1
    failedMs = clock()
    options.onFault(error)
  }
  const read = await readLog({ ...options, onFault }, path, newPath).catch((error: unknown) => {
    onFault(error)
    return nothingRead
  })
  const writerOptions = { path, newPath, states, waitingSteps, sizeBytes, onFault }
  const writer = new SnapshotWriter(writerOptions, read.log, read.logBytes)
  // Written anew from what was read, without making the start wait. Until that is done, the corrupt log stays in place.
  if (read.corruptStretches > 0) writer.work()
  const { isCut, corruptStretches, corruptBytes, keptAside } = read
  return {
    append: (key, step) => {
      if (!writer.hasFailed) writer.append(printFrame({ key, step }))
    },
    retry() {
      if (failedMs === undefined || !writer.hasFailed || clock() - failedMs < RETRY_MS) return
      failedMs = clock()
      writer.work()
    },
    flush: () => writer.flush(),
    close: () => writer.close(),
    figures: () => ({ logBytes: writer.logBytes, isCut, corruptStretches, corruptBytes, keptAside, faults }),
  }
}

interface ReadLog extends Omit<SnapshotFigures, 'faults'> {
  /** Open for appending. Undefined where nothing may be appended to it. */
  readonly log: FileHandle | undefined
}

const nothingRead: ReadLog = {
  log: undefined,
  logBytes: 0,
  isCut: false,
  corruptStretches: 0,
  corruptBytes: 0,
  keptAside: undefined,
}

async function readLog(options: SnapshotOptions, path: string, newPath: string): Promise<ReadLog> {
  await mkdir(options.folder, { recursive: true })
  await rm(newPath, { force: true })
  // Created where it is missing, so that reading it is the same.
  const log = await open(path, 'a')
  const { size } = await stat(path)
  const read = await readFrames(path, ({ key, step }) => learnStep(options, key, step))
  const { endBytes, corruptStretches, corruptBytes } = read
  if (corruptStretches > 0) {
    await log.close()
    const keptAside = await keepAside(path, options)
    return { ...nothingRead, logBytes: size, corruptStretches, corruptBytes, keptAside }
  }
  const isCut = endBytes < size
  if (isCut) await truncate(path, endBytes)
  return { ...nothingRead, log, logBytes: endBytes, isCut }
}

/**
 * Gives the corrupt log a second name, under which it stays when a new log takes its place. One is kept, the last.
 *
 * It is for people who want to know what happened to the disk. Without it the node goes on all the same.
 */
async function keepAside(path: string, { folder, onFault }: SnapshotOptions): Promise<string | undefined> {
  const asidePath = join(folder, 'steps.corrupt')
  try {
    await rm(asidePath, { force: true })
    await link(path, asidePath)
    return asidePath
  } catch (error) {
    onFault(error)
    return undefined
  }
}

/** False where the step is corrupt, or is of another channel than its frame states. */
function learnStep({ learn }: SnapshotOptions, key: FeedChannelId, step: Uint8Array): boolean {
  const message = readStep(step)
  if (message === undefined) return false
  if (message.kind === 'whole' && message.channel.channelId !== key.channelId) return false
  learn(key, message)
  return true
}
