import type { FrameRate, HouseFormat } from '../media/house-format.ts'
import type { Media } from '../media/media.ts'
import type { LiveSourceFields } from './source-fields.ts'
import { type LiveSourceState, type Reception, receptionOf } from './source-state.ts'

/** Instructions for receivers of a source. Stored on the bus, so that they need no database. */
export interface SourceConfig {
  readonly accountId: string
  readonly sourceId: string
  readonly generation: number
  readonly reception: Reception
  /** Addresses of its inputs: its own, and the redundant one. */
  readonly urls: readonly string[]
  readonly frameRate: FrameRate
  readonly segmentMs: HouseFormat['segmentMs']
  /** Null keeps the loudness unchanged. */
  readonly loudnessLufs: number | null
  /** How to handle the cues of its playlist; null ignores them. */
  readonly cues: CueConfig | null
}

export interface CueConfig {
  /** Shown in their breaks instead of the source. */
  readonly slate: Media | null
}

export interface ConfiguredSource
  extends Pick<
    LiveSourceFields,
    | 'inputUrl'
    | 'enableRedundancy'
    | 'redundancySource'
    | 'alwaysKeepReceiverActive'
    | 'enableAudioNormalization'
    | 'audioAlgorithm'
    | 'scte35Source'
  > {
  readonly accountId: string
  readonly sourceId: string
  readonly generation: number
  readonly state: LiveSourceState
}

/** Its own input, and the redundant one if enabled. */
export const inputsOf = ({
  enableRedundancy,
  redundancySource,
}: Pick<LiveSourceFields, 'enableRedundancy' | 'redundancySource'>): readonly (0 | 1)[] =>
  enableRedundancy && redundancySource !== '' ? [0, 1] : [0]

export function configOf(
  source: ConfiguredSource,
  { frameRate, segmentMs }: Pick<HouseFormat, 'frameRate' | 'segmentMs'>,
  slate: Media | null,
): SourceConfig {
  const { accountId, sourceId, generation } = source
  return {
    accountId,
    sourceId,
    generation,
    reception: receptionOf(source.state, source.alwaysKeepReceiverActive),
    urls: inputsOf(source).map((input) => (input === 0 ? source.inputUrl : source.redundancySource)),
    frameRate,
    segmentMs,
    loudnessLufs: source.enableAudioNormalization ? targetLoudness(source.audioAlgorithm) : null,
    cues: source.scte35Source === 'MANIFEST' ? { slate } : null,
  }
}

/** Targets of the two recommendations; the European one by default. */
const targetLoudness = (algorithm: LiveSourceFields['audioAlgorithm']): number =>
  algorithm === 'ATSC_A85' ? -24 : -23

/** Whether one input is received identically under both, so that reception can continue. */
export function isSameReception(one: SourceConfig, other: SourceConfig, input: number): boolean {
  return (
    one.reception === other.reception &&
    one.urls[input] === other.urls[input] &&
    one.frameRate === other.frameRate &&
    one.segmentMs === other.segmentMs &&
    one.loudnessLufs === other.loudnessLufs
  )
}
