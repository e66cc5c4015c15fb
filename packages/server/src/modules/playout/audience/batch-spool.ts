import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Batches of a node that are not in the database yet, as files with a batch per line. */
export interface BatchSpool {
  /** Syncs the file and its folder. False if the spool is full. */
  write(lines: readonly string[], closedMs: number): Promise<boolean>
  /** File names, the oldest first. */
  list(): Promise<readonly string[]>
  read(name: string): Promise<readonly string[]>
  remove(name: string): Promise<void>
  /** Keeps a rejected file for an operator to inspect. */
  setAside(name: string): Promise<void>
  bytes(): number
}

const ENDING = '.batches'
const ASIDE = '.rejected'
const UNFINISHED = '.tmp'

export async function openBatchSpool(folder: string, maximumBytes: number): Promise<BatchSpool> {
  await mkdir(folder, { recursive: true })
  const names = await readdir(folder)
  for (const name of names) if (name.endsWith(UNFINISHED)) await rm(join(folder, name), { force: true })
  let bytes = 0 // written by `write` and `remove`
  for (const name of names) if (name.endsWith(ENDING)) bytes += (await stat(join(folder, name))).size

  const leave = async (name: string, how: () => Promise<void>) => {
    const { size } = await stat(join(folder, name))
    await how()
    bytes -= size
  }
  return {
    async write(lines, closedMs) {
      const text = `${lines.join('\n')}\n`
      const length = Buffer.byteLength(text)
      if (bytes + length > maximumBytes) return false
      // Zero-padded times, so that names sort by time.
      const path = join(folder, `${String(closedMs).padStart(15, '0')}-${randomUUID()}${ENDING}`)
      await writeSynced(`${path}${UNFINISHED}`, text)
      await rename(`${path}${UNFINISHED}`, path)
      await syncFolder(folder)
      bytes += length
      return true
    },
    list: async () => (await readdir(folder)).filter((name) => name.endsWith(ENDING)).toSorted(),
    read: async (name) => (await readFile(join(folder, name), 'utf8')).split('\n').slice(0, -1),
    remove: (name) => leave(name, () => rm(join(folder, name))),
    setAside: (name) => leave(name, () => rename(join(folder, name), join(folder, `${name}${ASIDE}`))),
    bytes: () => bytes,
  }
}

async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Without it a new file name may be lost after a power failure. */
async function syncFolder(folder: string): Promise<void> {
  const opened = await open(folder, 'r')
  try {
    await opened.sync()
  } finally {
    await opened.close()
  }
}
