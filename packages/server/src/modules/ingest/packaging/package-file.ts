import { mkdir } from 'node:fs/promises'
import type { SegmentIndex } from '@continuity/core/packaging/segment-index'
import { encode } from './encode.ts'
import { findGain } from './find-gain.ts'
import { finishPackage } from './finish-package.ts'
import type { PackageFileOrder } from './package-file-order.ts'
import { findFinished } from './package-folder.ts'
import type { PackagingDeps } from './packaging-deps.ts'

/**
 * Packages a file: leaves the objects of an asset in the folder, the index
 * last, and nothing else. A folder that has an index is done already.
 */
export async function packageFile(deps: PackagingDeps, order: PackageFileOrder): Promise<SegmentIndex> {
  const finished = await findFinished(order.folder)
  if (finished !== undefined) return finished
  const { folder, format, ladder, signal } = order
  await mkdir(folder, { recursive: true })
  const gain = await findGain(deps, order)
  const frames = await encode(deps, order, gain)
  return finishPackage(deps, { folder, ladder, ...format, frames, signal })
}
