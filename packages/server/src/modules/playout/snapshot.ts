import { type FileHandle, mkdir, open, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import type { FeedMessage } from '@continuity/core/feed/feed-message'
import type { Clock } from '../../platform/clock/clock.ts'
import type { FeedChannelId } from '../../platform/feed/feed-subjects.ts'
import { readStep } from '../../platform/feed/read-step.ts'
import { printFrame, readFrames } from './snapshot-frame.ts'
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
  /** Whether the log could not be read to its end, and was cut off there. */
  readonly isCut: boolean
  readonly faults: number
}

export interface SnapshotOptions extends Pick<WriterOptions, 'states' | 'sizeBytes' | 'onFault'> {
  readonly folder: string
  readonly clock: Clock
  readonly learn: (key: FeedChannelId, message: FeedMessage) => void
}

const RETRY_MS = 60_000

/** Reads what is there, and goes on writing behind it. */
export async function openSnapshot(options: SnapshotOptions): Promise<Snapshot> {
  const { folder, states, sizeBytes, clock } = options
  const path = join(folder, 'steps.log')
  const newPath = join(folder, 'steps.new')
  let faults = 0
  let failedMs: number | undefined // when the disk failed, or was last tried; undefined: it is well
  const onFault = (error: unknown) => {
    faults += 1
    failedMs = clock()
    options.onFault(error)
  }
  const read = await readLog(options, path, newPath).catch((error: unknown) => {
    onFault(error)
    return { log: undefined, logBytes: 0, isCut: false }
  })
  const writer = new SnapshotWriter({ path, newPath, states, sizeBytes, onFault }, read.log, read.logBytes)
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
    figures: () => ({ logBytes: writer.logBytes, isCut: read.isCut, faults }),
  }
}

interface ReadLog {
  readonly log: FileHandle | undefined
  readonly logBytes: number
  readonly isCut: boolean
}

async function readLog(options: SnapshotOptions, path: string, newPath: string): Promise<ReadLog> {
  await mkdir(options.folder, { recursive: true })
  await rm(newPath, { force: true })
  // Made where it is not there, so that reading it is the same.
  const log = await open(path, 'a')
  const { size } = await stat(path)
  const logBytes = await readFrames(path, ({ key, step }) => learnStep(options, key, step))
  const isCut = logBytes < size
  if (isCut) await truncate(path, logBytes)
  return { log, logBytes, isCut }
}

/** False where the step is spoilt. */
function learnStep({ learn }: SnapshotOptions, key: FeedChannelId, step: Uint8Array): boolean {
  const message = readStep(step)
  if (message !== undefined) learn(key, message)
  return message !== undefined
}
