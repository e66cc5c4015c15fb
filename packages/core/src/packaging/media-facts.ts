/** What a probe found in a file, as far as packaging needs it. */
export interface MediaFacts {
  /** What the file says of itself, which may be wrong; null where it says nothing. */
  readonly durationMs: number | null
  readonly video: VideoFacts
  readonly audio: AudioFacts | null
}

export interface VideoFacts {
  /** Of the stream in its file. */
  readonly index: number
  readonly codec: string
  /** As it is to be seen: turned by its rotation, with square pixels. */
  readonly width: number
  readonly height: number
  /** Clockwise, in degrees. */
  readonly rotation: 0 | 90 | 180 | 270
  readonly frameRate: number | null
  readonly isInterlaced: boolean
  /** How its colours are mixed. */
  readonly matrix: ColourMatrix
  /** Its light must be mapped to what ordinary screens show. */
  readonly isHdr: boolean
}

/** Of standard definition, of high definition, and of what came after it. */
export type ColourMatrix = 'bt601' | 'bt709' | 'bt2020'

export interface AudioFacts {
  readonly index: number
  readonly codec: string
  readonly channels: number
  readonly sampleRate: number
}

export type MediaRefusal =
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
