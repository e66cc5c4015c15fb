import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Ladder } from '@continuity/core/packaging/ladder'
import { readSegmentIndex, type SegmentIndex } from '@continuity/core/packaging/segment-index'

export const INDEX_FILE = 'index.json'

/** The index of a package that is whole: it is written last. */
export async function findFinished(folder: string): Promise<SegmentIndex | undefined> {
  return readFile(join(folder, INDEX_FILE), 'utf8').then(readSegmentIndex, () => undefined)
}

/** Empty folders for what is to be made. All that an earlier try left half done is gone, except what is `kept`. */
export async function emptyFolder(folder: string, ladder: Ladder, kept?: string): Promise<void> {
  // ffmpeg takes it for a pattern of names, and has no way of telling that it is none.
  if (folder.includes('%')) throw new Error(`a package cannot be made in ${folder}, because of the % in it`)
  await mkdir(folder, { recursive: true })
  for (const name of await readdir(folder)) {
    if (name !== kept) await rm(join(folder, name), { recursive: true, force: true })
  }
  for (const name of ['stills', ...ladder.map((rung) => rung.name)]) await mkdir(join(folder, name))
}

/** Writes a file that is there whole or not at all. */
export async function writeWhole(file: string, text: string): Promise<void> {
  await writeFile(`${file}.new`, text)
  await rename(`${file}.new`, file)
}
