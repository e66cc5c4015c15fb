import { appendFile, readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Ladder } from '@continuity/core/media/ladder'
import { segmentName, stillName } from '@continuity/core/media/segment-index'
import { TornPackage } from './media-rejected.ts'

/**
 * Brings the segments that ffmpeg cut to the planned number: an extra one is a tail too short to be a segment. Its bytes
 * are appended to the segment before. The result is a valid segment, because ffmpeg continues the packet counters of a
 * transport stream from one segment to the next.
 */
export async function joinTail(folder: string, ladder: Ladder, planned: number): Promise<void> {
  for (const { name } of ladder) {
    const made = (await readdir(join(folder, name))).filter((file) => file.endsWith('.ts')).length
    if (made === planned + 1) await joinLast(join(folder, name), planned)
    else if (made !== planned) throw new TornPackage(`${name}, with ${made} of ${planned} segments,`)
  }
  await joinStills(join(folder, 'stills'), planned)
}

/** A tail that has joined another segment has no still of its own. */
async function joinStills(folder: string, planned: number): Promise<void> {
  await rm(join(folder, stillName(planned)), { force: true })
  for (const name of Array.from({ length: planned }, (_, number) => stillName(number))) {
    const size = await stat(join(folder, name)).then(
      (found) => found.size,
      () => 0,
    )
    if (size === 0) throw new TornPackage(`stills/${name}`)
  }
}

async function joinLast(folder: string, number: number): Promise<void> {
  const tail = join(folder, segmentName(number))
  await appendFile(join(folder, segmentName(number - 1)), await readFile(tail))
  await rm(tail)
}
