import { open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** The file that a part belongs to; stored beside the part, so that another process can resume. */
export interface PartRecord {
  readonly url: string
  /** Null where the server sends none: then the part cannot be resumed. */
  readonly validator: string | null
  readonly bytes: number
  readonly contentType: string | null
  readonly etag: string | null
}

export interface OpenPart {
  bytes(): number
  write(chunk: Buffer): Promise<void>
  /** Records the bytes written, and closes. */
  close(): Promise<void>
}

export const partOf = (file: string): string => `${file}.part`
export const recordOf = (file: string): string => `${file}.part.json`

/** The most that a power cut may cost. More frequent syncs would slow down the disk. */
const RECORD_EVERY_BYTES = 32 * 2 ** 20

/** The part that an earlier attempt left for this address, if it can be resumed. */
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
 * Opens a part to append after the bytes that its record counts. Bytes beyond them may not have reached the disk, so
 * they are truncated.
 *
 * The record is written before the part is changed: an old record must never describe new bytes.
 */
export async function openPart(file: string, record: PartRecord): Promise<OpenPart> {
  await writeRecord(file, record)
  const handle = await open(partOf(file), 'a')
  await handle.truncate(record.bytes)
  let bytes = record.bytes
  let recordedBytes = record.bytes

  const saveRecord = async () => {
    await handle.datasync()
    await writeRecord(file, { ...record, bytes })
    recordedBytes = bytes
  }
  return {
    bytes: () => bytes,
    async write(chunk) {
      await handle.appendFile(chunk)
      bytes += chunk.length
      if (bytes - recordedBytes >= RECORD_EVERY_BYTES) await saveRecord()
    },
    async close() {
      try {
        await saveRecord()
      } finally {
        await handle.close()
      }
    },
  }
}

/** Makes a complete, closed part the finished file. */
export async function finishPart(file: string): Promise<void> {
  await rename(partOf(file), file)
  await using folder = await open(dirname(file), 'r')
  // A rename is durable only after its folder was synced.
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

/** An unreadable record was never completely written. */
async function readRecord(file: string): Promise<PartRecord | undefined> {
  try {
    return JSON.parse(await readFile(recordOf(file), 'utf8')) as PartRecord
  } catch {
    return undefined
  }
}
