import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mp4Command } from '@continuity/core/packaging/commands'
import { segmentMsOf } from '@continuity/core/packaging/house-format'
import { downloadRung } from '@continuity/core/packaging/ladder'
import { DURATION_MAXIMUM_MS } from '@continuity/core/packaging/media-facts'
import { UNUSED_PLAYLIST } from '@continuity/core/packaging/package-command'
import { planSegments, printSegmentIndex, type SegmentIndex } from '@continuity/core/packaging/segment-index'
import { printMediaPlaylist, printMultivariant } from '@continuity/core/packaging/vod-playlists'
import { blame } from './blame.ts'
import { encode } from './encode.ts'
import { findGain, LOUDNESS_FILE } from './find-gain.ts'
import { joinTail } from './join-tail.ts'
import { measureRungs } from './measure-rungs.ts'
import type { PackageFileOrder } from './package-file-order.ts'
import { findFinished, INDEX_FILE, writeWhole } from './package-folder.ts'
import type { PackagingDeps } from './packaging-deps.ts'
import { readingLimits } from './program-limits.ts'

/**
 * Packages a file: leaves the objects of an asset in the folder, the index
 * last, and nothing else. A folder that has an index is done already.
 */
export async function packageFile(deps: PackagingDeps, order: PackageFileOrder): Promise<SegmentIndex> {
  const finished = await findFinished(order.folder)
  if (finished !== undefined) return finished
  const { folder, format, ladder, isSlate } = order
  await mkdir(folder, { recursive: true })
  const gain = await findGain(deps, order)
  const frames = await encode(deps, order, gain)
  const segmentMs = segmentMsOf(format, isSlate)
  const segments = planSegments(frames, format.frameRate, segmentMs)
  await joinTail(folder, ladder, segments.length)
  const index: SegmentIndex = {
    version: 1,
    frameRate: format.frameRate,
    segmentMs,
    durationTicks: segments.reduce((sum, ticks) => sum + ticks, 0),
    segments,
    rungs: await measureRungs(folder, ladder, { segments, frameRate: format.frameRate }),
  }
  await writePlaylists(folder, index)
  await makeMp4(deps, order)
  await rm(join(folder, LOUDNESS_FILE), { force: true })
  await writeWhole(join(folder, INDEX_FILE), printSegmentIndex(index))
  return index
}

async function writePlaylists(folder: string, index: SegmentIndex): Promise<void> {
  for (const { name } of index.rungs) {
    await rm(join(folder, name, UNUSED_PLAYLIST))
    await writeFile(join(folder, name, 'main.m3u8'), printMediaPlaylist(index))
  }
  await writeFile(join(folder, 'main.m3u8'), printMultivariant(index))
}

async function makeMp4({ runProgram }: PackagingDeps, order: PackageFileOrder): Promise<void> {
  const { folder, ladder, signal } = order
  const command = mp4Command(join(folder, downloadRung(ladder).name, 'main.m3u8'), join(folder, 'video.mp4'))
  const limits = readingLimits(order.facts.durationMs ?? DURATION_MAXIMUM_MS)
  await blame(runProgram({ ...command, limits, signal }), 'media.damaged', 'No MP4 can be made of the video.')
}
