import type { HouseFormat } from '@continuity/core/packaging/house-format'
import type { Ladder } from '@continuity/core/packaging/ladder'
import type { MediaFacts } from '@continuity/core/packaging/media-facts'

export interface PackageFileOrder {
  readonly file: string
  readonly facts: MediaFacts
  /** A whole path. What lies in it is ours: a package, or what an earlier try left of one. */
  readonly folder: string
  readonly format: HouseFormat
  readonly ladder: Ladder
  /** Of x264: how much work it puts into a picture. */
  readonly preset: string
  readonly signal: AbortSignal
  readonly onProgress: (share: number) => void
}
