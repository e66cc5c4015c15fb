import { Type } from 'typebox'
import { Image, ImageDraft } from './image.ts'
import { pageOf } from './page.ts'
import { address, id, text, timestamp, title } from './scalars.ts'
import { changeOf, defaulted, named, nullable, oneOf, optional, shape } from './shape.ts'

export const liveSourceStatuses = ['IDLE', 'PROCESSING', 'ACTIVE', 'ERROR'] as const
export const liveSourceTypes = ['HLS_PULL'] as const

export const LiveSourceStatus = named('LiveSourceStatus', oneOf(liveSourceStatuses))

const scte35Source = oneOf(['', 'NONE', 'MANIFEST', 'API'], {
  description: 'Where ad cues come from: nowhere, the playlist of the source, or only our own breaks.',
})
const audioAlgorithm = oneOf(['', 'EBU_R128', 'ATSC_A85'], { description: 'Loudness target.' })
const addressOrEmpty = (description: string) =>
  Type.String({ pattern: '^(https?://[^\\s\\u0000-\\u001f\\u007f]+)?$', maxLength: 2_048, description })

const writableTypes = ['HLS_PULL', 'SRT_PUSH', 'RTMP_PUSH'] as const

const metadataFields = {
  type: oneOf(['', ...writableTypes], { description: 'The same as the type of the source, or empty.' }),
  input_url: address('Stream address.'),
  scte_35_source: scte35Source,
}
const featureFields = {
  always_keep_receiver_active: Type.Boolean({ description: 'Keep receiving while IDLE or ERROR too.' }),
  enable_redundancy: Type.Boolean(),
  redundancy_source: addressOrEmpty('Another stream address, or empty.'),
  enable_audio_normalization: Type.Boolean(),
  audio_algorithm: audioAlgorithm,
  enable_auto_live_switch_on_signal: Type.Boolean({
    description: 'Override auto_switch_channel_ids while there is a signal.',
  }),
}
const ownFields = {
  name: title('Name.'),
  description: text('Description, or empty.'),
  ad_slate: Type.String({ maxLength: 64, description: 'A video id, or empty.' }),
  enable_relative_start_for_countdown: Type.Boolean({ description: 'Kept and given back, without effect.' }),
  auto_switch_channel_ids: Type.Array(id('A channel.'), { maxItems: 500 }),
}

const liveSource = {
  live_source_id: id('Id of the source.'),
  name: ownFields.name,
  description: ownFields.description,
  status: LiveSourceStatus,
  status_detail: nullable(
    shape({ code: Type.String(), message: Type.String(), at: timestamp('When it was found.') }),
  ),
  type: Type.String({ description: 'HLS_PULL.' }),
  metadata: shape(metadataFields),
  feature: shape(featureFields),
  preview: nullable(shape({ url: Type.String(), expires_at: timestamp('When the address ends.') })),
  ad_slate: ownFields.ad_slate,
  enable_relative_start_for_countdown: ownFields.enable_relative_start_for_countdown,
  auto_switch_channel_ids: ownFields.auto_switch_channel_ids,
  account_id: Type.String(),
  created_date: timestamp('When it was made.'),
  created_user_id: Type.String(),
  last_updated: timestamp('When it changed last.'),
  last_modified_user_id: Type.String(),
}

export const LiveSource = named('LiveSource', shape(liveSource))
export const LiveSourceDetail = named('LiveSourceDetail', shape({ ...liveSource, images: Type.Array(Image) }))
export const LiveSourcePage = pageOf('LiveSourcePage', LiveSource)

const writable = {
  ...ownFields,
  type: oneOf(writableTypes, { description: 'HLS_PULL; SRT_PUSH and RTMP_PUSH are not built yet.' }),
  feature: shape(optional(featureFields)),
  images: Type.Array(ImageDraft, { maxItems: 20 }),
}
export const LiveSourceDraft = named(
  'LiveSourceDraft',
  shape({
    ...optional(writable),
    name: ownFields.name,
    type: writable.type,
    metadata: shape({ ...optional(metadataFields), input_url: metadataFields.input_url }),
  }),
)
export const LiveSourceChange = named(
  'LiveSourceChange',
  changeOf({ ...writable, metadata: shape(optional(metadataFields)) }),
)

export const liveSourceListQuery = {
  status: defaulted(
    oneOf([...liveSourceStatuses, 'ALL'], { description: 'Only sources of this status.' }),
    'ALL',
  ),
  source_type: defaulted(
    oneOf([...liveSourceTypes, 'ALL'], { description: 'Only sources of this type.' }),
    'ALL',
  ),
}

export const AdBreakInsert = named(
  'AdBreakInsert',
  shape({ duration: Type.Integer({ minimum: 1, maximum: 600, description: 'Whole seconds.' }) }),
)

export const AdBreakResult = named(
  'AdBreakResult',
  shape({
    status_code: Type.Integer(),
    message: Type.String(),
    live_source_id: Type.String(),
    duration: Type.Integer({ description: 'Whole seconds.' }),
    status: Type.String(),
  }),
)
