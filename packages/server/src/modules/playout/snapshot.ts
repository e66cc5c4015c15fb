import { type FileHandle, link, mkdir, open, rm, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import type { FeedMessage } from '@continuity/core/feed/feed-message'
import type { Clock } from '../../platform/clock/clock.ts'
import type { FeedChannelId } from '../../platform/feed/feed-subjects.ts'
import { readUpdate } from '../../platform/feed/read-update.ts'
import { printFrame } from './snapshot-frame.ts'
import { readFrames } from './snapshot-reader.ts'
import { SnapshotWriter, type WriterOptions } from './snapshot-writer.ts'

/**
 * A node's copy of the feed on its own disk, from which it can start without the feed.
 *
 * It is a log of updates in the format of the feed. The feed has them too, so nothing waits for the disk, and a disk
 * failure does not stop the node.
 */
export interface Snapshot {
  append(key: FeedChannelId, update: Uint8Array): void
  /** Call about once a second: a failed disk is retried once a minute. */
  retry(): void
  /** Resolves when everything appended is written, or the disk has failed. */
  flush(): Promise<void>
  close(): Promise<void>
  figures(): SnapshotFigures
}

export interface SnapshotFigures {
  readonly logBytes: number
  /** Whether the last frame was incomplete at startup and was truncated: normal after a kill. */
  readonly isCut: boolean
  /** Corrupt stretches of one or more frames, skipped at startup. */
  readonly corruptStretches: number
  readonly corruptBytes: number
  /** Where the corrupt log was kept. */
  readonly keptAside: string | undefined
  readonly faults: number
}

export interface SnapshotOptions
  extends Pick<WriterOptions, 'states' | 'waitingUpdates' | 'sizeBytes' | 'onFault'> {
  readonly folder: string
  readonly clock: Clock
  readonly apply: (key: FeedChannelId, message: FeedMessage) => void
}

const RETRY_MS = 60_000

/** Reads the log and continues to append to it. */
export async function openSnapshot(options: SnapshotOptions): Promise<Snapshot> {
  const { folder, states, waitingUpdates, sizeBytes, clock } = options
  const path = join(folder, 'steps.log')
  const newPath = join(folder, 'steps.new')
  let faults = 0
  let failedMs: number | undefined // when the disk failed or was last retried; undefined if it works
  const onFault = (error: unknown) => {
    faults += 1
    failedMs = clock()
    options.onFault(error)
  }
  const read = await readLog({ ...options, onFault }, path, newPath).catch((error: unknown) => {
    onFault(error)
    return nothingRead
  })
  const writerOptions = { path, newPath, states, waitingUpdates, sizeBytes, onFault }
  const writer = new SnapshotWriter(writerOptions, read.log, read.logBytes)
  // Rewritten in the background from what was read. Until then the corrupt log is kept.
  if (read.corruptStretches > 0) writer.work()
  const { isCut, corruptStretches, corruptBytes, keptAside } = read
  return {
    append: (key, update) => {
      if (!writer.hasFailed) writer.append(printFrame({ key, update }))
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
  /** Open for appending. Undefined if nothing may be appended to it. */
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
  // Created if missing.
  const log = await open(path, 'a')
  const { size } = await stat(path)
  const read = await readFrames(path, ({ key, update }) => applyUpdate(options, key, update))
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
 * Links the corrupt log to a second name, under which it stays when a new log replaces it. Only the last one is kept.
 *
 * It is for the diagnosis of disk faults; a failure to keep it is ignored.
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

/** False if the update is corrupt, or belongs to another channel than its frame states. */
function applyUpdate({ apply }: SnapshotOptions, key: FeedChannelId, update: Uint8Array): boolean {
  const message = readUpdate(update)
  if (message === undefined) return false
  if (message.kind === 'whole' && message.channel.channelId !== key.channelId) return false
  apply(key, message)
  return true
}
