import { type FileHandle, link, mkdir, open, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { removeLeftBehind, withDraft } from './disk-draft.ts'
import { codeOf, isMissing, onDisk, toDiskFault } from './disk-faults.ts'
import { syncFolders } from './disk-sync.ts'
import { requireMediaKey, requireMediaPrefix } from './media-key.ts'
import type { ByteRange, MediaStore, OpenedObject, StoredObject } from './media-store.ts'
import { StoreUnavailable } from './store-unavailable.ts'

const READ_BYTES = 256 * 1024

/** Whoever removes a folder in the moment in which we put into it does so once, not for ever. */
const LINK_TRIES = 3

/** Enough to need a block of the disk: an empty file can be made on one that is full. */
const PING_BYTES = 4_096

/** A folder of this machine, or one that several share. It has to be there: the store never makes it. */
export function openDiskStore(path: string): MediaStore {
  const folder = resolve(path)
  const sync = syncFolders(folder)
  let cleared: Promise<void> | undefined // begun by the first that writes; a reader leaves the disk as it is

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
      const place = join(folder, key)
      if ((await find(key)) === undefined) {
        await withDraft(folder, body, signal, (draft) => onDisk(keepFirst(draft, place)))
      }
      // Also where it was there before: whoever put it may not have come this far.
      await onDisk(sync(dirname(place)))
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

/** A link is refused where there is a file; a renamed file would take its place. */
async function keepFirst(draft: string, place: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    await mkdir(dirname(place), { recursive: true })
    try {
      await link(draft, place)
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
    throw new RangeError(`There are no bytes ${from} to ${to} in ${sizeBytes}`)
  if (sizeBytes === 0) {
    void file.close()
    return Readable.from([])
  }
  return file.createReadStream({ start: from, end: Math.min(to, sizeBytes) - 1, highWaterMark: READ_BYTES })
}

/** Time and size name the content, because a file is never written to again. A copy of the folder keeps both. */
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

/** Nothing is missing from a store that is not there. */
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

/** A file that may not be read is as good as gone; of writing nothing is said. */
function toReadFault(error: unknown): unknown {
  return codeOf(error) === undefined ? error : new StoreUnavailable('store.unreachable', error)
}
