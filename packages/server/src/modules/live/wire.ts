import type { AnswerOf, BodyOf, Operations } from '@continuity/contract'
import type { LiveSourceFields } from '@continuity/core/live/source-fields'
import { statusOf } from '@continuity/core/live/source-state'
import { TypeMismatch, TypeNotBuilt } from './errors.ts'
import type { LiveSource } from './store.ts'

export type WireSource = AnswerOf<Operations['activateLiveSource']>
export type WireSourceDetail = AnswerOf<Operations['getLiveSource']>
type WireChange = BodyOf<Operations['changeLiveSource']>

export const toWireSource = (source: LiveSource): WireSource => ({
  live_source_id: source.sourceId,
  name: source.name,
  description: source.description,
  status: statusOf(source.state),
  status_detail:
    source.detail === null
      ? null
      : {
          code: source.detail.code,
          message: source.detail.message,
          at: new Date(source.detail.atMs).toISOString(),
        },
  type: source.type,
  metadata: { type: source.type, input_url: source.inputUrl, scte_35_source: source.scte35Source },
  feature: {
    always_keep_receiver_active: source.alwaysKeepReceiverActive,
    enable_redundancy: source.enableRedundancy,
    redundancy_source: source.redundancySource,
    enable_audio_normalization: source.enableAudioNormalization,
    audio_algorithm: source.audioAlgorithm,
    enable_auto_live_switch_on_signal: source.enableAutoLiveSwitchOnSignal,
  },
  preview: null,
  ad_slate: source.adSlateVideoId ?? '',
  enable_relative_start_for_countdown: source.enableRelativeStartForCountdown,
  auto_switch_channel_ids: [...source.autoSwitchChannelIds],
  account_id: source.accountId,
  created_date: new Date(source.createdMs).toISOString(),
  created_user_id: source.createdUserId,
  last_updated: new Date(source.updatedMs).toISOString(),
  last_modified_user_id: source.updatedUserId,
})

export const toWireDetail = (source: LiveSource): WireSourceDetail => ({
  ...toWireSource(source),
  images: source.images.map((image) => ({ ...image, image_url: image.original_image_url })),
})

/** Only the fields that were sent. */
export function readSourceFields(body: WireChange): Partial<LiveSourceFields> {
  const { metadata = {}, feature = {} } = body
  const type = readType(body.type, metadata.type)
  const read = {
    name: body.name,
    description: body.description,
    type,
    inputUrl: metadata.input_url,
    scte35Source: metadata.scte_35_source,
    alwaysKeepReceiverActive: feature.always_keep_receiver_active,
    enableRedundancy: feature.enable_redundancy,
    redundancySource: feature.redundancy_source,
    enableAudioNormalization: feature.enable_audio_normalization,
    audioAlgorithm: feature.audio_algorithm,
    enableAutoLiveSwitchOnSignal: feature.enable_auto_live_switch_on_signal,
    autoSwitchChannelIds: body.auto_switch_channel_ids && [...new Set(body.auto_switch_channel_ids)],
    adSlateVideoId: body.ad_slate === '' ? null : body.ad_slate,
    enableRelativeStartForCountdown: body.enable_relative_start_for_countdown,
    images: body.images,
  }
  const sent = Object.entries(read).filter(([, value]) => value !== undefined)
  return Object.fromEntries(sent)
}

/** The type may be sent in both places; they must agree, and the type must be supported. */
function readType(
  outer: SentType | undefined,
  inner: SentType | '' | undefined,
): LiveSourceFields['type'] | undefined {
  const type = outer ?? (inner === '' ? undefined : inner)
  if (type === undefined) return undefined
  if (inner !== undefined && inner !== '' && inner !== type) throw TypeMismatch(type)
  if (type !== 'HLS_PULL') throw TypeNotBuilt(type)
  return type
}

type SentType = NonNullable<WireChange['type']>
