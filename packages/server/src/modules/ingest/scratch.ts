import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A folder in which an asset is made, on the disk of this worker. */
export interface Scratch {
  readonly folder: string
  /** What an earlier try wrote down under this name, if it came so far. */
  recall<T>(name: string): Promise<T | undefined>
  remember(name: string, value: unknown): Promise<void>
  remove(): Promise<void>
}

/**
 * Takes over what an earlier try on this disk has left, or begins with nothing.
 *
 * A try has a folder of its own name, and the next renames it. So one that was
 * taken for dead and wakes up finds its folder gone, and cannot write into the
 * work of the other.
 */
export async function openScratch(root: string, assetId: string, attempt: string): Promise<Scratch> {
  const home = join(root, assetId)
  const folder = join(home, attempt)
  await mkdir(home, { recursive: true })
  const [left] = (await readdir(home)).filter((name) => name !== attempt)
  if (left === undefined) await mkdir(folder, { recursive: true })
  else await takeOver(join(home, left), folder)
  return {
    folder,
    recall: (name) => readMark(join(folder, `${name}.json`)),
    remember: async (name, value) => {
      const file = join(folder, `${name}.json`)
      await writeFile(`${file}.new`, JSON.stringify(value))
      await rename(`${file}.new`, file)
    },
    remove: () => removeScratch(root, assetId),
  }
}

/** What an earlier try on this disk has left of an asset that needs no other. */
export const removeScratch = (root: string, assetId: string): Promise<void> =>
  rm(join(root, assetId), { recursive: true, force: true })

async function takeOver(left: string, folder: string): Promise<void> {
  // Both there: the worker died between two tries of its own. One is as good as the other.
  await rm(folder, { recursive: true, force: true })
  await rename(left, folder)
}

async function readMark<T>(file: string): Promise<T | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as T
  } catch {
    // Never written, or cut off by a loss of power: the step is done again.
    return undefined
  }
}

/** What nobody came back to: the other worker that took over has another disk. */
export async function removeOldScratch(root: string, beforeMs: number): Promise<void> {
  for (const name of await readdir(root).catch((): string[] => [])) {
    const folder = join(root, name)
    // Another worker may have removed it by now.
    const found = await stat(folder).catch(() => undefined)
    if (found !== undefined && found.mtimeMs < beforeMs) await rm(folder, { recursive: true, force: true })
  }
}
