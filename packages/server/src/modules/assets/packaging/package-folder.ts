import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Ladder } from '@continuity/core/media/ladder'
import { readSegmentIndex, type SegmentIndex } from '@continuity/core/media/segment-index'

export const INDEX_FILE = 'index.json'

/** The index of a complete package: it is written last. */
export async function findFinished(folder: string): Promise<SegmentIndex | undefined> {
  return readFile(join(folder, INDEX_FILE), 'utf8').then(readSegmentIndex, () => undefined)
}

/** Removes what an earlier attempt left, except the file `kept`, and creates the folders of a package. */
export async function emptyFolder(folder: string, ladder: Ladder, kept?: string): Promise<void> {
  // ffmpeg takes it for a pattern of names, and has no way to escape it.
  if (folder.includes('%')) throw new Error(`a package cannot be made in ${folder}, because of the % in it`)
  await mkdir(folder, { recursive: true })
  for (const name of await readdir(folder)) {
    if (name !== kept) await rm(join(folder, name), { recursive: true, force: true })
  }
  for (const name of ['stills', ...ladder.map((rung) => rung.name)]) await mkdir(join(folder, name))
}

/** Writes a file completely or not at all. */
export async function writeAtomically(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text)
  await rename(`${file}.new`, file)
}
