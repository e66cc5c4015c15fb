import { appendFile, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { printMediaPlaylist, printMultivariant } from '@continuity/core/hls/vod-playlists'
import { planGops, planParts } from '@continuity/core/media/cue-points'
import { type FrameRate, type SegmentMs, ticksPerFrame } from '@continuity/core/media/house-format'
import { downloadRung, type Ladder } from '@continuity/core/media/ladder'
import {
  printSegmentIndex,
  type SegmentIndex,
  segmentName,
  stillName,
} from '@continuity/core/media/segment-index'
import { mp4Command } from '@continuity/core/packaging/commands'
import { UNUSED_PLAYLIST } from '@continuity/core/packaging/package-command'
import { blame } from './blame.ts'
import { measureRungs } from './measure-rungs.ts'
import { LOUDNESS_FILE } from './measure-sound.ts'
import { TornPackage } from './media-rejected.ts'
import { INDEX_FILE, writeAtomically } from './package-folder.ts'
import type { PackagingDeps } from './packaging-deps.ts'
import { readingLimits } from './program-limits.ts'

export interface FinishOptions {
  /** Holds the segments and stills of all rungs. */
  readonly folder: string
  readonly ladder: Ladder
  readonly frameRate: FrameRate
  readonly segmentMs: SegmentMs
  readonly frames: number
  /** With any, the segments are in files of one GOP each. */
  readonly cueFrames?: readonly number[]
  readonly proposedMs?: readonly number[]
  readonly signal: AbortSignal
}

/** Checks what was encoded and adds the playlists, the MP4 and, last, the index. */
export async function finishPackage(deps: PackagingDeps, options: FinishOptions): Promise<SegmentIndex> {
  const { folder, ladder, frames, frameRate, segmentMs, cueFrames = [], proposedMs = [] } = options
  const { segments, cuts } = planParts(frames, cueFrames, frameRate, segmentMs)
  if (cueFrames.length === 0) await joinTail(folder, ladder, segments.length)
  else
    await joinGops(
      folder,
      ladder,
      gopsOfSegments(segments, planGops(frames, cueFrames, frameRate), frameRate),
    )
  const index: SegmentIndex = {
    version: 1,
    frameRate,
    segmentMs,
    durationTicks: segments.reduce((sum, ticks) => sum + ticks, 0),
    segments,
    ...(cuts.length === 0 ? {} : { cuts }),
    ...(proposedMs.length === 0 ? {} : { proposedMs }),
    rungs: await measureRungs(folder, ladder, { segments, frameRate }),
  }
  await writePlaylists(folder, index)
  await makeMp4(deps, options)
  await rm(join(folder, LOUDNESS_FILE), { force: true })
  await writeAtomically(join(folder, INDEX_FILE), printSegmentIndex(index))
  return index
}

async function writePlaylists(folder: string, index: SegmentIndex): Promise<void> {
  for (const { name } of index.rungs) {
    await rm(join(folder, name, UNUSED_PLAYLIST))
    await writeFile(join(folder, name, 'main.m3u8'), printMediaPlaylist(index))
  }
  await writeFile(join(folder, 'main.m3u8'), printMultivariant(index))
}

async function makeMp4({ runProgram }: PackagingDeps, options: FinishOptions): Promise<void> {
  const { folder, ladder, frames, frameRate, signal } = options
  const command = mp4Command(join(folder, downloadRung(ladder).name, 'main.m3u8'), join(folder, 'video.mp4'))
  const limits = readingLimits((frames / frameRate) * 1_000)
  await blame(runProgram({ ...command, limits, signal }), 'media.damaged', 'No MP4 can be made of the video.')
}

/**
 * Brings the segments that ffmpeg cut to the planned number: an extra one is a tail too short to be a segment. Its bytes
 * are appended to the segment before. The result is a valid segment, because ffmpeg continues the packet counters of a
 * transport stream from one segment to the next.
 */
async function joinTail(folder: string, ladder: Ladder, planned: number): Promise<void> {
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

/** How many GOPs each segment has. Every segment begins with one. */
function gopsOfSegments(
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
async function joinGops(folder: string, ladder: Ladder, counts: readonly number[]): Promise<void> {
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
