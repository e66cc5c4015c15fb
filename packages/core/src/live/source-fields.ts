export type LiveSourceType = 'HLS_PULL'

export type ImageType = 'THUMBNAIL' | 'POSTER' | 'LOGO'

export interface SourceImage {
  readonly width: number
  readonly height: number
  readonly image_type: ImageType
  readonly original_image_url: string
}

/** What an editor says of a live source. */
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
  /** Null for the picture of the source itself. */
  readonly adSlateVideoId: string | null
  readonly enableRelativeStartForCountdown: boolean
  readonly images: readonly SourceImage[]
}

export type LiveSourceDraft = Pick<LiveSourceFields, 'name' | 'inputUrl'> & Partial<LiveSourceFields>

/** Every one may take an encoder: a limit that no station reaches, and a runaway script does. */
export const LIVE_SOURCES_MAXIMUM = 2_000

/** A draft with all that was left out. */
export const fillLiveSource = (draft: LiveSourceDraft): LiveSourceFields => ({ ...unsaid, ...draft })

const unsaid = {
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
