import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A folder in which an asset is made, on the disk of this worker. */
export interface Scratch {
  readonly folder: string
  /** What an earlier attempt stored under this name, if it got so far. */
  recall<T>(name: string): Promise<T | undefined>
  remember(name: string, value: unknown): Promise<void>
  remove(): Promise<void>
}

/**
 * Takes over what an earlier attempt on this disk has left, or starts with an empty folder.
 *
 * Each attempt has a folder of its own name, and the next attempt renames it. So an attempt that stalled and continues finds
 * its folder gone, and cannot write into the work of the other.
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

/** Removes what earlier attempts on this disk have left of a finished asset. */
export const removeScratch = (root: string, assetId: string): Promise<void> =>
  rm(join(root, assetId), { recursive: true, force: true })

async function takeOver(left: string, folder: string): Promise<void> {
  // Both exist: the worker crashed between two attempts of its own. Either will do.
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

/** Removes abandoned folders: the worker that took over their assets has another disk. */
export async function removeOldScratch(root: string, beforeMs: number): Promise<void> {
  for (const name of await readdir(root).catch((): string[] => [])) {
    const folder = join(root, name)
    // Another worker may have removed it by now.
    const found = await stat(folder).catch(() => undefined)
    if (found !== undefined && found.mtimeMs < beforeMs) await rm(folder, { recursive: true, force: true })
  }
}
