import type { HouseFormat } from '@continuity/core/media/house-format'
import type { Ladder } from '@continuity/core/media/ladder'
import type { MediaFacts } from '@continuity/core/packaging/media-facts'

export interface PackageFileOptions {
  readonly file: string
  readonly facts: MediaFacts
  /** An absolute path. It contains a package, or what an earlier attempt left of one, and nothing else. */
  readonly folder: string
  readonly format: HouseFormat
  readonly ladder: Ladder
  /** Preset of x264. */
  readonly preset: string
  /** The frames at which a segment begins, in order. */
  readonly cueFrames?: readonly number[]
  readonly signal: AbortSignal
  readonly onProgress: (share: number) => void
}
