/** The properties of a file that packaging needs, as probed. */
export interface MediaFacts {
  /** As stated by the file, which may be wrong; null if it states none. */
  readonly durationMs: number | null
  readonly video: VideoFacts
  readonly audio: AudioFacts | null
  /** Where its chapters begin. Absent if it has none. */
  readonly chaptersMs?: readonly number[]
}

export interface VideoFacts {
  /** Index of the stream in its file. */
  readonly index: number
  readonly codec: string
  /** As displayed: after rotation, with square pixels. */
  readonly width: number
  readonly height: number
  /** Clockwise, in degrees. */
  readonly rotation: 0 | 90 | 180 | 270
  readonly frameRate: number | null
  readonly isInterlaced: boolean
  /** Colour matrix of the video. */
  readonly matrix: ColourMatrix
  /** Needs tone mapping to standard dynamic range. */
  readonly isHdr: boolean
}

/** Of SD, HD and UHD video. */
export type ColourMatrix = 'bt601' | 'bt709' | 'bt2020'

export interface AudioFacts {
  readonly index: number
  readonly codec: string
  readonly channels: number
  readonly sampleRate: number
}

export type MediaRejectionCode =
  | 'media.unreadable'
  | 'media.no_video'
  | 'media.empty'
  | 'media.too_large_picture'
  | 'media.too_long'
  | 'media.longer_than_told'
  | 'media.too_costly'
  | 'media.damaged'

export const SIDE_MAXIMUM = 8_192
/** The largest picture that cinemas use. */
export const PIXELS_MAXIMUM = 8_192 * 4_320
export const DURATION_MAXIMUM_MS = 24 * 3_600_000
