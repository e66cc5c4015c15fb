import type { FrameRate, HouseFormat } from '../packaging/house-format.ts'
import type { Media } from '../timeline/media.ts'
import type { LiveSourceFields } from './source-fields.ts'
import { type LiveSourceState, type Reception, receptionOf } from './source-state.ts'

/** What receivers are to do for a source. It lies on the bus, so that they need no database. */
export interface SourceConfig {
  readonly accountId: string
  readonly sourceId: string
  readonly generation: number
  readonly reception: Reception
  /** Of its inputs: its own address, and the redundant one. */
  readonly urls: readonly string[]
  readonly frameRate: FrameRate
  readonly segmentMs: HouseFormat['segmentMs']
  /** Null leaves the loudness as it is. */
  readonly loudnessLufs: number | null
  /** What to do with the cues of its playlist; null: they are not carried over. */
  readonly cues: CueConfig | null
}

export interface CueConfig {
  /** What is shown in their breaks instead of the source's picture. */
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

/** Its own address, and the redundant one where it is to be received. */
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

/** What the two recommendations ask of a programme; without a choice it is Europe's. */
const targetLoudness = (algorithm: LiveSourceFields['audioAlgorithm']): number =>
  algorithm === 'ATSC_A85' ? -24 : -23

/** Whether one input is received alike under both: what runs can go on. */
export function isSameReception(one: SourceConfig, other: SourceConfig, input: number): boolean {
  return (
    one.reception === other.reception &&
    one.urls[input] === other.urls[input] &&
    one.frameRate === other.frameRate &&
    one.segmentMs === other.segmentMs &&
    one.loudnessLufs === other.loudnessLufs
  )
}
