import { mkdir, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { slateCommand } from '@continuity/core/packaging/commands'
import type { SegmentIndex } from '@continuity/core/packaging/segment-index'
import { packageFile } from './package-file.ts'
import type { PackageFileOrder } from './package-file-order.ts'
import { findFinished } from './package-folder.ts'
import type { PackagingDeps } from './packaging-deps.ts'
import { probeFile } from './probe-file.ts'
import { readingLimits } from './program-limits.ts'

export interface SlateOrder extends Omit<PackageFileOrder, 'file' | 'facts' | 'isSlate'> {
  readonly seconds: number
}

/** Makes a slate: a picture of our own, packaged in the shortest segments there are. */
export async function makeSlate(deps: PackagingDeps, order: SlateOrder): Promise<SegmentIndex> {
  const finished = await findFinished(order.folder)
  if (finished !== undefined) return finished
  // Beside the folder, in which only the package may lie.
  const file = `${order.folder}.picture`
  await mkdir(dirname(file), { recursive: true })
  try {
    await drawSlate(deps, order, file)
    const facts = await probeFile(deps, file, order.signal)
    return await packageFile(deps, { ...order, file, facts, isSlate: true })
  } finally {
    await rm(file, { force: true })
  }
}

async function drawSlate({ runProgram }: PackagingDeps, order: SlateOrder, file: string): Promise<void> {
  const { ladder, format, seconds, signal } = order
  const command = slateCommand({ rung: ladder.at(-1)!, frameRate: format.frameRate, seconds }, file)
  // Nobody's file is to blame here, so a failure stays what it is, and is tried again.
  await runProgram({ ...command, limits: readingLimits(seconds * 20_000), signal })
}
