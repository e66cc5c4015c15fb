import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { framesPerGop, GOP_MS } from '@continuity/core/media/house-format'
import {
  planSegments,
  type SegmentIndex,
  SLOTS_FOLDER,
  stillName,
} from '@continuity/core/media/segment-index'
import { UNUSED_PLAYLIST } from '@continuity/core/packaging/package-command'
import {
  drawSlateCommand,
  repeatSlateCommand,
  slateLines,
  slateStill,
} from '@continuity/core/packaging/slate-commands'
import type { SlatePicture } from '@continuity/core/packaging/slate-picture'
import { finishPackage } from './finish-package.ts'
import { measureRungs } from './measure-rungs.ts'
import type { PackageFileOptions } from './package-file-options.ts'
import { emptyFolder, findFinished } from './package-folder.ts'
import type { PackagingDeps } from './packaging-deps.ts'
import { smallLimits } from './program-limits.ts'

const FONT = fileURLToPath(
  import.meta.resolve('@expo-google-fonts/noto-sans/600SemiBold/NotoSans_600SemiBold.ttf'),
)

export interface SlateOptions extends Omit<PackageFileOptions, 'file' | 'facts'> {
  readonly picture: SlatePicture
  /** Its length in segments of one GOP. Short segments fill a gap more exactly. */
  readonly gops: number
}

/**
 * Makes a slate: a still picture of which one GOP is encoded and repeated, so that its length costs next to nothing. It is
 * packaged in segments of one GOP, which fill any gap, and in segments of a slot, which stand in for a live source.
 */
export async function makeSlate(deps: PackagingDeps, options: SlateOptions): Promise<SegmentIndex> {
  const finished = await findFinished(options.folder)
  if (finished !== undefined) return finished
  const { folder, ladder, format, gops, signal } = options
  // Outside the folder, which may contain only the package.
  const loopFolder = `${folder}.loop`
  await rm(loopFolder, { recursive: true, force: true })
  await mkdir(loopFolder, { recursive: true })
  await emptyFolder(folder, ladder)
  try {
    for (const { file, text } of slateLines(loopFolder, options.picture)) await writeFile(file, text)
    const drawing = drawSlateCommand({ ...options, loopFolder, font: FONT })
    const repeating = repeatSlateCommand({ ...options, loopFolder, segmentMs: GOP_MS })
    // No file of a partner is involved, so a failure is always retried.
    await deps.runProgram({ ...drawing, limits: smallLimits, signal })
    await deps.runProgram({ ...repeating, limits: smallLimits, signal })
    await copyStills(loopFolder, folder, gops)
    await packageSlots(deps, options, loopFolder)
  } finally {
    await rm(loopFolder, { recursive: true, force: true })
  }
  const { frameRate } = format
  const frames = gops * framesPerGop(frameRate)
  return finishPackage(deps, { folder, ladder, frameRate, segmentMs: GOP_MS, frames, signal })
}

async function packageSlots(deps: PackagingDeps, options: SlateOptions, loopFolder: string): Promise<void> {
  const { ladder, format, gops, signal } = options
  const folder = join(options.folder, SLOTS_FOLDER)
  await emptyFolder(folder, ladder)
  const repeating = repeatSlateCommand({ ...options, folder, loopFolder, segmentMs: format.segmentMs })
  await deps.runProgram({ ...repeating, limits: smallLimits, signal })
  const { frameRate, segmentMs } = format
  const segments = planSegments(gops * framesPerGop(frameRate), frameRate, segmentMs)
  await measureRungs(folder, ladder, { segments, frameRate })
  for (const { name } of ladder) await rm(join(folder, name, UNUSED_PLAYLIST))
  await copyStills(loopFolder, folder, segments.length)
}

async function copyStills(loopFolder: string, folder: string, segments: number): Promise<void> {
  for (let number = 0; number < segments; number += 1) {
    await copyFile(slateStill(loopFolder), join(folder, 'stills', stillName(number)))
  }
}
