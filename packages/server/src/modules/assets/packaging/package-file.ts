import { mkdir } from 'node:fs/promises'
import type { SegmentIndex } from '@continuity/core/media/segment-index'
import { proposeCuePoints } from '@continuity/core/packaging/propose-cue-points'
import { encode } from './encode.ts'
import { finishPackage } from './finish-package.ts'
import { measureSound } from './measure-sound.ts'
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
  const { gain, silences } = await measureSound(deps, options)
  const { frames, blacks } = await encode(deps, options, gain)
  const proposedMs = proposeCuePoints(blacks, silences, (frames / format.frameRate) * 1_000)
  return finishPackage(deps, { folder, ladder, ...format, frames, cueFrames, proposedMs, signal })
}
