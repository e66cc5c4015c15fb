import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { printMediaPlaylist, printMultivariant } from '@continuity/core/hls/vod-playlists'
import { planGops, planParts } from '@continuity/core/media/cue-points'
import type { FrameRate, SegmentMs } from '@continuity/core/media/house-format'
import { downloadRung, type Ladder } from '@continuity/core/media/ladder'
import { printSegmentIndex, type SegmentIndex } from '@continuity/core/media/segment-index'
import { mp4Command } from '@continuity/core/packaging/commands'
import { UNUSED_PLAYLIST } from '@continuity/core/packaging/package-command'
import { blame } from './blame.ts'
import { gopsOfSegments, joinGops } from './join-gops.ts'
import { joinTail } from './join-tail.ts'
import { measureRungs } from './measure-rungs.ts'
import { LOUDNESS_FILE } from './measure-sound.ts'
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
