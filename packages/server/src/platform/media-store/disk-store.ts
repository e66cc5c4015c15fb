import { type FileHandle, link, mkdir, open, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { removeLeftBehind, withDraft } from './disk-draft.ts'
import { codeOf, isMissing, onDisk, toDiskFault } from './disk-faults.ts'
import { requireMediaKey, requireMediaPrefix } from './media-key.ts'
import type { ByteRange, MediaStore, OpenedObject, StoredObject } from './media-store.ts'
import { StoreUnavailable } from './store-unavailable.ts'

const READ_BYTES = 256 * 1024

/** A folder may be removed while an object is put into it, but not repeatedly. */
const LINK_TRIES = 3

/** Enough to need a block of the disk: an empty file can be created on a full one. */
const PING_BYTES = 4_096

/** A local or shared folder. It must exist: the store never creates it. */
export function openDiskStore(path: string): MediaStore {
  const folder = resolve(path)
  const sync = syncFolders(folder)
  let cleared: Promise<void> | undefined // started by the first write; reading does not change the disk

  const requireFolder = async () => {
    await stat(folder).catch((error: unknown) => {
      throw toReadFault(error)
    })
  }
  const find = async (key: string): Promise<StoredObject | undefined> => {
    requireMediaKey(key)
    return unlessMissing(describe(join(folder, key)), requireFolder)
  }
  const clearOnce = async () => {
    cleared ??= removeLeftBehind(folder)
    await cleared.catch((error: unknown) => {
      cleared = undefined
      throw toDiskFault(error)
    })
  }

  return {
    async put(key, body, signal) {
      requireMediaKey(key)
      await clearOnce()
      const target = join(folder, key)
      if ((await find(key)) === undefined) {
        await withDraft(folder, body, signal, (draft) => onDisk(keepFirst(draft, target)))
      }
      // Also where it existed already: its writer may have been killed before this sync.
      await onDisk(sync(dirname(target)))
    },
    find,
    has: async (key) => (await find(key)) !== undefined,
    async open(key, range) {
      requireMediaKey(key)
      return unlessMissing(openFile(join(folder, key), range), requireFolder)
    },
    async removeAll(prefix) {
      requireMediaPrefix(prefix)
      await requireFolder()
      await onDisk(rm(join(folder, prefix), { recursive: true, force: true }))
    },
    async ping() {
      await clearOnce()
      await withDraft(folder, { bytes: new Uint8Array(PING_BYTES) }, undefined, async () => {})
    },
    close: async () => {},
  }
}

/** Fails where the file exists, unlike a rename, which would replace it. */
async function keepFirst(draft: string, target: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    await mkdir(dirname(target), { recursive: true })
    try {
      await link(draft, target)
      return
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return
      if (codeOf(error) !== 'ENOENT' || attempt === LINK_TRIES) throw error
    }
  }
}

async function describe(path: string): Promise<StoredObject | undefined> {
  const found = await stat(path)
  return found.isFile() ? toStoredObject(found) : undefined
}

async function openFile(path: string, range: ByteRange | undefined): Promise<OpenedObject | undefined> {
  const file = await open(path)
  try {
    const found = await file.stat()
    if (found.isFile()) return { ...toStoredObject(found), stream: readRange(file, found.size, range) }
  } catch (error) {
    await file.close()
    throw error
  }
  await file.close()
  return undefined
}

/** The stream closes the file, however it ends. */
function readRange(file: FileHandle, sizeBytes: number, range: ByteRange | undefined): Readable {
  const { from, to } = range ?? { from: 0, to: sizeBytes }
  if (range !== undefined && !(from >= 0 && from < Math.min(to, sizeBytes)))
    throw new RangeError(`bytes ${from} to ${to} are outside of the ${sizeBytes} of the object`)
  if (sizeBytes === 0) {
    void file.close()
    return Readable.from([])
  }
  return file.createReadStream({ start: from, end: Math.min(to, sizeBytes) - 1, highWaterMark: READ_BYTES })
}

/** Time and size identify the content, because a file is never written again. A copy of the folder keeps both. */
function toStoredObject({
  size,
  mtimeMs,
}: {
  readonly size: number
  readonly mtimeMs: number
}): StoredObject {
  const lastModifiedMs = Math.floor(mtimeMs)
  return { sizeBytes: size, lastModifiedMs, etag: `"${lastModifiedMs.toString(16)}-${size.toString(16)}"` }
}

/** A missing object means undefined, a missing store is an error. */
async function unlessMissing<T>(
  work: Promise<T | undefined>,
  requireFolder: () => Promise<void>,
): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (!isMissing(error)) throw toReadFault(error)
    await requireFolder()
    return undefined
  }
}

/** For reads: also a lack of permission means that the store is unreachable. */
function toReadFault(error: unknown): unknown {
  return codeOf(error) === undefined ? error : new StoreUnavailable('store.unreachable', error)
}

/** An asset has about ten folders; clearing the map only costs a few more syncs. */
const FOLDERS_MAXIMUM = 10_000

/**
 * Makes the entries of a folder, and those of the folders above it up to the root, durable.
 *
 * The folders above are synced once per process: after that their entries on the path to this folder are durable. They
 * may have been created by another process that was killed before its own sync.
 */
function syncFolders(root: string): (folder: string) => Promise<void> {
  const synced = new Map<string, string>() // by folder, the identity for which its path from the root is durable

  return async (folder) => {
    const identity = await syncFolder(folder)
    if (synced.get(folder) === identity) return
    for (let above = folder; above !== root; ) {
      above = dirname(above)
      await syncFolder(above)
    }
    if (synced.size >= FOLDERS_MAXIMUM) synced.clear()
    synced.set(folder, identity)
  }
}

/** Not by its inode alone: a folder that is removed and created again may get the same one. */
async function syncFolder(folder: string): Promise<string> {
  await using handle = await open(folder)
  await handle.sync()
  const { ino, birthtimeNs } = await handle.stat({ bigint: true })
  return `${ino}/${birthtimeNs}`
}
