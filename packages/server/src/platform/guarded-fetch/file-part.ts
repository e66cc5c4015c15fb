import { open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** What is known of the thing that a part belongs to; kept beside the part, so that another process can go on. */
export interface PartRecord {
  readonly url: string
  /** Null where the server gives none: then nobody can tell whether the rest still fits. */
  readonly validator: string | null
  readonly bytes: number
  readonly contentType: string | null
  readonly etag: string | null
}

export interface OpenPart {
  bytes(): number
  write(chunk: Buffer): Promise<void>
  /** Keeps what was written, and closes. */
  close(): Promise<void>
}

export const partOf = (file: string): string => `${file}.part`
export const recordOf = (file: string): string => `${file}.part.json`

/** How much a power cut may cost. More often would have the disk wait for itself. */
const KEEP_EVERY_BYTES = 32 * 2 ** 20

/** The part that an earlier try left of this address, if it can be gone on with. */
export async function findPart(file: string, url: string): Promise<PartRecord | undefined> {
  const record = await readRecord(file)
  const size = await stat(partOf(file)).then(
    (found) => found.size,
    () => 0,
  )
  const isUsable = record?.url === url && record.validator !== null && record.bytes > 0
  return isUsable && size >= record.bytes ? record : undefined
}

/**
 * Opens a part behind the bytes that its record counts. What lies beyond them
 * was written but perhaps never reached the disk, so it is cut off.
 *
 * The record is written before the part is touched: an old one must never stand
 * beside new bytes.
 */
export async function openPart(file: string, record: PartRecord): Promise<OpenPart> {
  await writeRecord(file, record)
  const handle = await open(partOf(file), 'a')
  await handle.truncate(record.bytes)
  let bytes = record.bytes
  let keptBytes = record.bytes

  const keep = async () => {
    await handle.datasync()
    await writeRecord(file, { ...record, bytes })
    keptBytes = bytes
  }
  return {
    bytes: () => bytes,
    async write(chunk) {
      await handle.appendFile(chunk)
      bytes += chunk.length
      if (bytes - keptBytes >= KEEP_EVERY_BYTES) await keep()
    },
    async close() {
      try {
        await keep()
      } finally {
        await handle.close()
      }
    },
  }
}

/** Makes the file of a part that is whole and closed. */
export async function finishPart(file: string): Promise<void> {
  await rename(partOf(file), file)
  await using folder = await open(dirname(file), 'r')
  // A new name lasts only when its folder has reached the disk.
  await folder.sync()
  await rm(recordOf(file), { force: true })
}

export async function sizeOfPart(file: string): Promise<number> {
  return (await stat(partOf(file))).size
}

export async function dropPart(file: string): Promise<void> {
  await rm(recordOf(file), { force: true })
  await rm(partOf(file), { force: true })
}

async function writeRecord(file: string, record: PartRecord): Promise<void> {
  const path = recordOf(file)
  await writeFile(`${path}.new`, JSON.stringify(record))
  await rename(`${path}.new`, path)
}

/** A record that cannot be read is one that was never finished. */
async function readRecord(file: string): Promise<PartRecord | undefined> {
  try {
    return JSON.parse(await readFile(recordOf(file), 'utf8')) as PartRecord
  } catch {
    return undefined
  }
}
