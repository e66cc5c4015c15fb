import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { framesPerGop, GOP_MS } from '@continuity/core/packaging/house-format'
import { UNUSED_PLAYLIST } from '@continuity/core/packaging/package-command'
import {
  planSegments,
  type SegmentIndex,
  SLOTS_FOLDER,
  stillName,
} from '@continuity/core/packaging/segment-index'
import {
  drawSlateCommand,
  repeatSlateCommand,
  slateLines,
  slateStill,
} from '@continuity/core/packaging/slate-commands'
import type { SlatePicture } from '@continuity/core/packaging/slate-picture'
import { finishPackage } from './finish-package.ts'
import { measureRungs } from './measure-rungs.ts'
import type { PackageFileOrder } from './package-file-order.ts'
import { emptyFolder, findFinished } from './package-folder.ts'
import type { PackagingDeps } from './packaging-deps.ts'
import { smallLimits } from './program-limits.ts'

const FONT = fileURLToPath(
  import.meta.resolve('@expo-google-fonts/noto-sans/600SemiBold/NotoSans_600SemiBold.ttf'),
)

export interface SlateOrder extends Omit<PackageFileOrder, 'file' | 'facts'> {
  readonly picture: SlatePicture
  /** How many segments of one GOP it has: the shorter they are, the nearer a slate comes to filling a gap. */
  readonly gops: number
}

/**
 * Makes a slate: a still picture of which one GOP is encoded and repeated, so that its length costs next to nothing. It is
 * packaged in segments of one GOP, which fill any gap, and in segments of a slot, which stand in for a live source.
 */
export async function makeSlate(deps: PackagingDeps, order: SlateOrder): Promise<SegmentIndex> {
  const finished = await findFinished(order.folder)
  if (finished !== undefined) return finished
  const { folder, ladder, format, gops, signal } = order
  // Beside the folder, in which only the package may lie.
  const loopFolder = `${folder}.loop`
  await rm(loopFolder, { recursive: true, force: true })
  await mkdir(loopFolder, { recursive: true })
  await emptyFolder(folder, ladder)
  try {
    for (const { file, text } of slateLines(loopFolder, order.picture)) await writeFile(file, text)
    const drawing = drawSlateCommand({ ...order, loopFolder, font: FONT })
    const repeating = repeatSlateCommand({ ...order, loopFolder, segmentMs: GOP_MS })
    // Nobody's file is to blame here, so a failure stays what it is, and is tried again.
    await deps.runProgram({ ...drawing, limits: smallLimits, signal })
    await deps.runProgram({ ...repeating, limits: smallLimits, signal })
    await copyStills(loopFolder, folder, gops)
    await packageSlots(deps, order, loopFolder)
  } finally {
    await rm(loopFolder, { recursive: true, force: true })
  }
  const { frameRate } = format
  const frames = gops * framesPerGop(frameRate)
  return finishPackage(deps, { folder, ladder, frameRate, segmentMs: GOP_MS, frames, signal })
}

async function packageSlots(deps: PackagingDeps, order: SlateOrder, loopFolder: string): Promise<void> {
  const { ladder, format, gops, signal } = order
  const folder = join(order.folder, SLOTS_FOLDER)
  await emptyFolder(folder, ladder)
  const repeating = repeatSlateCommand({ ...order, folder, loopFolder, segmentMs: format.segmentMs })
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
