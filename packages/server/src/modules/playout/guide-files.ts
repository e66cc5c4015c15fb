import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type FeedVersion, isNewer } from '@continuity/core/feed/feed-message'
import type { WindowedProgram } from '@continuity/core/timeline/span'
import type { FeedChannelId } from '../../platform/feed/feed-subjects.ts'
import {
  GUIDE_HEAD_BYTES,
  isGuideIntact,
  readGuideVersion,
  unpackGuide,
} from '../../platform/feed/guide-codec.ts'

/**
 * The planned programs of all channels, a file each, as they were received. They are not kept in memory: ten thousand
 * channels would take up to a gigabyte, and a guide is requested once in minutes.
 */
export interface GuideFiles {
  /** Whether the file of the channel is at least as new. */
  isKnown(id: FeedChannelId, bytes: Uint8Array): Promise<boolean>
  /** Resolves when the file is replaced. A corrupt or older guide changes nothing. */
  store(id: FeedChannelId, bytes: Uint8Array): Promise<void>
}

export function openGuideFiles(folder: string, onChange: (channelId: string) => void): GuideFiles {
  const versions = new Map<string, FeedVersion>() // of files that were read or written since the start
  const versionOf = async (channelId: string): Promise<FeedVersion | undefined> => {
    const known = versions.get(channelId) ?? (await readVersion(pathOf(folder, channelId)))
    if (known !== undefined) versions.set(channelId, known)
    return known
  }
  const isKnown: GuideFiles['isKnown'] = async ({ channelId }, bytes) => {
    const version = readGuideVersion(bytes)
    if (version === undefined || !isFileName(channelId)) return true
    const known = await versionOf(channelId)
    return known !== undefined && !isNewer(version, known)
  }
  return {
    isKnown,
    async store(id, bytes) {
      if ((await isKnown(id, bytes)) || !isGuideIntact(bytes)) return
      const path = pathOf(folder, id.channelId)
      await mkdir(folder, { recursive: true })
      // Renamed when it is complete: a node that is killed here has the guide before.
      await writeFile(`${path}.new`, bytes)
      await rename(`${path}.new`, path)
      versions.set(id.channelId, readGuideVersion(bytes)!)
      onChange(id.channelId)
    },
  }
}

/** Undefined where there is none, or it is corrupt. A corrupt file is deleted, so that the next message replaces it. */
export async function readGuideFile(
  folder: string,
  channelId: string,
): Promise<readonly WindowedProgram[] | undefined> {
  const path = pathOf(folder, channelId)
  const bytes = await readFile(path).catch(() => undefined)
  if (bytes === undefined) return undefined
  if (isGuideIntact(bytes)) return unpackGuide(bytes)
  await rm(path, { force: true })
  return undefined
}

const pathOf = (folder: string, channelId: string): string => join(folder, `${channelId}.guide`)

/** Subjects may contain characters that lead out of a folder. */
const isFileName = (channelId: string): boolean => /^[\w-]{1,64}$/.test(channelId)

async function readVersion(path: string): Promise<FeedVersion | undefined> {
  const file = await open(path).catch(() => undefined)
  try {
    const head = await file?.read(Buffer.alloc(GUIDE_HEAD_BYTES), 0, GUIDE_HEAD_BYTES)
    return head && readGuideVersion(head.buffer.subarray(0, head.bytesRead))
  } finally {
    await file?.close()
  }
}
