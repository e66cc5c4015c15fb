import { mkdir } from 'node:fs/promises'
import type { SegmentIndex } from '@continuity/core/media/segment-index'
import { encode } from './encode.ts'
import { findGain } from './find-gain.ts'
import { finishPackage } from './finish-package.ts'
import type { PackageFileOptions } from './package-file-options.ts'
import { findFinished } from './package-folder.ts'
import type { PackagingDeps } from './packaging-deps.ts'

/**
 * Packages a file: leaves the objects of an asset in the folder, the index
 * last, and nothing else. A folder that has an index is done already.
 */
export async function packageFile(deps: PackagingDeps, options: PackageFileOptions): Promise<SegmentIndex> {
  const finished = await findFinished(options.folder)
  if (finished !== undefined) return finished
  const { folder, format, ladder, cueFrames = [], signal } = options
  await mkdir(folder, { recursive: true })
  const gain = await findGain(deps, options)
  const frames = await encode(deps, options, gain)
  return finishPackage(deps, { folder, ladder, ...format, frames, cueFrames, signal })
}
