import { appendFile, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type FrameRate, ticksPerFrame } from '@continuity/core/media/house-format'
import type { Ladder } from '@continuity/core/media/ladder'
import { segmentName, stillName } from '@continuity/core/media/segment-index'
import { TornPackage } from './media-rejected.ts'

/** How many GOPs each segment has. Every segment begins with one. */
export function gopsOfSegments(
  segments: readonly number[],
  gops: readonly number[],
  frameRate: FrameRate,
): readonly number[] {
  let at = 0
  return segments.map((ticks) => {
    const first = at
    for (let left = ticks / ticksPerFrame(frameRate); left > 0 && at < gops.length; at += 1) left -= gops[at]!
    return at - first
  })
}

/**
 * Joins files of one GOP to segments. ffmpeg cuts segments at multiples of one length only, and those after a cue point
 * are not. The result is a valid segment, because ffmpeg continues the packet counters from one file to the next.
 */
export async function joinGops(folder: string, ladder: Ladder, counts: readonly number[]): Promise<void> {
  const planned = counts.reduce((sum, count) => sum + count, 0)
  for (const { name } of ladder) {
    const made = (await readdir(join(folder, name))).filter((file) => file.endsWith('.ts')).length
    if (made !== planned) throw new TornPackage(`${name}, with ${made} of ${planned} GOPs,`)
    await joinFiles(join(folder, name), counts, segmentName)
  }
  await keepStills(join(folder, 'stills'), counts)
}

/** A segment is never behind its first GOP, so a name that is taken was used up before. */
async function joinFiles(
  folder: string,
  counts: readonly number[],
  nameOf: (number: number) => string,
): Promise<void> {
  let first = 0
  for (const [number, count] of counts.entries()) {
    const segment = join(folder, nameOf(number))
    if (number !== first) await rename(join(folder, nameOf(first)), segment)
    for (let gop = first + 1; gop < first + count; gop += 1) {
      await appendFile(segment, await readFile(join(folder, nameOf(gop))))
      await rm(join(folder, nameOf(gop)))
    }
    first += count
  }
}

/** Of each segment, the still of its first GOP. */
async function keepStills(folder: string, counts: readonly number[]): Promise<void> {
  let first = 0
  for (const [number, count] of counts.entries()) {
    if (number !== first) {
      await rename(join(folder, stillName(first)), join(folder, stillName(number))).catch(() => {
        throw new TornPackage(`stills/${stillName(first)}`)
      })
    }
    for (let gop = first + 1; gop < first + count; gop += 1)
      await rm(join(folder, stillName(gop)), { force: true })
    first += count
  }
}
