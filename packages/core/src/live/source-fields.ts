export type LiveSourceType = 'HLS_PULL'

export type ImageType = 'THUMBNAIL' | 'POSTER' | 'LOGO'

export interface SourceImage {
  readonly width: number
  readonly height: number
  readonly image_type: ImageType
  readonly original_image_url: string
}

/** The fields of a live source that an editor sets. */
export interface LiveSourceFields {
  readonly name: string
  readonly description: string
  readonly type: LiveSourceType
  readonly inputUrl: string
  /** Where ad cues come from. */
  readonly scte35Source: '' | 'NONE' | 'MANIFEST' | 'API'
  readonly alwaysKeepReceiverActive: boolean
  readonly enableRedundancy: boolean
  /** Empty for none. */
  readonly redundancySource: string
  readonly enableAudioNormalization: boolean
  readonly audioAlgorithm: '' | 'EBU_R128' | 'ATSC_A85'
  readonly enableAutoLiveSwitchOnSignal: boolean
  readonly autoSwitchChannelIds: readonly string[]
  /** Null shows the source itself. */
  readonly adSlateVideoId: string | null
  readonly enableRelativeStartForCountdown: boolean
  readonly images: readonly SourceImage[]
}

export type LiveSourceDraft = Pick<LiveSourceFields, 'name' | 'inputUrl'> & Partial<LiveSourceFields>

/** Every source may need an encoder: a limit above any real use, that stops a runaway script. */
export const LIVE_SOURCES_MAXIMUM = 2_000

/** A draft with defaults for missing fields. */
export const fillLiveSource = (draft: LiveSourceDraft): LiveSourceFields => ({ ...defaults, ...draft })

const defaults = {
  description: '',
  type: 'HLS_PULL',
  scte35Source: '',
  alwaysKeepReceiverActive: false,
  enableRedundancy: false,
  redundancySource: '',
  enableAudioNormalization: false,
  audioAlgorithm: '',
  enableAutoLiveSwitchOnSignal: false,
  autoSwitchChannelIds: [],
  adSlateVideoId: null,
  enableRelativeStartForCountdown: false,
  images: [],
} as const satisfies Omit<LiveSourceFields, 'name' | 'inputUrl'>
