import { Type } from 'typebox'
import { id, partnerId, text, timestamp, title } from './scalars.ts'
import { changeOf, defaulted, named, nullable, oneOf, optional, shape } from './shape.ts'

/** The first three are the interface's, the others ours. */
export const channelStatuses = ['ON_AIR', 'PENDING_OFFLINE', 'OFFLINE', 'PENDING_ON_AIR', 'ERROR'] as const
export const overrideStatuses = ['SCHEDULED', 'OVERRIDDEN', 'NOT_STARTED'] as const
export const channelSortFields = ['lastModifiedDate', 'createdDate', 'title', 'linearChannelId'] as const

const ChannelStatus = named('ChannelStatus', oneOf(channelStatuses))
const OverrideStatus = named('OverrideStatus', oneOf(overrideStatuses))

export const LinearChannel = named(
  'LinearChannel',
  shape({
    title: title('Title that viewers see.'),
    description: text('Description, or empty.'),
    internal_title: Type.String({ description: 'Internal name.' }),
    status: ChannelStatus,
    linear_channel_id: id('Id of the channel.'),
    linear_channel_override_status: OverrideStatus,
  }),
)

export const LinearChannels = Type.Array(LinearChannel)

const channelFields = {
  title: title('Title that viewers see.'),
  // All channels of an account are one answer: 10,000 of the longest must stay one that can be sent.
  description: Type.String({ maxLength: 2_000, description: 'Description.' }),
  internal_title: Type.String({
    maxLength: 255,
    description: 'Internal name; the title when left out.',
  }),
  rescue_slate_video_id: nullable(id("Shown when nothing else can be; null for the account's.")),
  time_fill_video_id: nullable(id("Fills gaps under 30 s; null for the account's.")),
  ad_slate_video_id: nullable(id("Shown in ad breaks; null for the account's.")),
  filler_playlist_id: nullable(id('Fills longer gaps.')),
  filler_title: nullable(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'What the guide lists time without a program as; null to list none.',
    }),
  ),
}

/** Fields that a list does not have. */
export const LinearChannelDetail = named(
  'LinearChannelDetail',
  shape({
    ...LinearChannel.properties,
    rescue_slate_video_id: channelFields.rescue_slate_video_id,
    time_fill_video_id: channelFields.time_fill_video_id,
    ad_slate_video_id: channelFields.ad_slate_video_id,
    filler_playlist_id: channelFields.filler_playlist_id,
    filler_title: channelFields.filler_title,
    created_date: timestamp('When it was made.'),
    last_updated: timestamp('When it changed last.'),
  }),
)

export const ChannelDraft = named(
  'ChannelDraft',
  shape({ ...optional(channelFields), title: channelFields.title }),
)
export const ChannelChange = named('ChannelChange', changeOf(channelFields))
export const ChannelStop = named(
  'ChannelStop',
  shape({
    immediate: Type.Optional(Type.Boolean({ description: 'Do not wait for the end of the program.' })),
  }),
)

export const BULK_ITEMS_MAXIMUM = 500

/** Clients echo what the listing gave them, so further fields are let through and not read. */
export const OverrideItems = bulk(
  'OverrideItem',
  Type.Object({
    title: Type.Optional(title("Title of the program on air; the source's name when left out.")),
    description: Type.Optional(text('Description of the program on air.')),
    linear_channel_id: id('Channel.'),
  }),
)
export const ChannelItems = bulk('ChannelItem', Type.Object({ linear_channel_id: id('Channel.') }))

/** Why an item of a bulk call failed, with its status. */
export const bulkItemCodes = {
  'channel.not_found': 404,
  'channel.not_on_air': 409,
  'channel.not_overridden': 409,
  'channel.slate_not_ready': 409,
  'idempotency.key_reused': 422,
  'feed.unavailable': 503,
} as const

const bulkAnswerFields = {
  status: Type.Integer({ description: '200, 404, 409, 422 or 503 for this channel.' }),
  linear_channel_id: Type.String(),
  linear_channel_override_status: OverrideStatus,
  on_air_at: Type.Optional(timestamp('When its first segment is published; left out where nothing changes.')),
  code: Type.Optional(
    Type.String({ description: `Of an item that failed: ${Object.keys(bulkItemCodes).join(', ')}.` }),
  ),
  message: Type.Optional(Type.String({ description: 'Of an item that failed.' })),
}
export const OverrideResults = Type.Array(
  named('OverrideResult', shape({ title: Type.String(), description: Type.String(), ...bulkAnswerFields })),
)
export const ReturnResults = Type.Array(named('ReturnResult', shape(bulkAnswerFields)))

function bulk<S extends ReturnType<typeof Type.Object>>(name: string, item: S) {
  return Type.Array(named(name, item), { minItems: 1, maxItems: BULK_ITEMS_MAXIMUM })
}

export const channelListQuery = {
  status: defaulted(
    oneOf([...channelStatuses, 'ALL'], { description: 'Only channels of this status.' }),
    'ALL',
  ),
  sort: defaulted(
    Type.String({
      pattern: `^(${channelSortFields.join('|')})\\.(asc|desc|ASC|DESC)$`,
      description: `One of ${channelSortFields.join(', ')}, with .asc or .desc.`,
    }),
    'lastModifiedDate.desc',
  ),
  linear_channel_name: Type.Optional(
    Type.String({ maxLength: 255, description: 'Part of the title, ignoring case and accents.' }),
  ),
}

const distributor = Type.String({
  pattern: '^[a-z0-9][a-z0-9_-]{0,62}$',
  description: 'Name of the distributor, as in the address that it pulls.',
})
export const Distributor = distributor

const outputFields = {
  key: nullable(partnerId("The distributor's own id of the channel.")),
  window_ms: Type.Integer({
    minimum: 15_000,
    maximum: 300_000,
    description: 'Length of the playlist window in milliseconds.',
  }),
  markers: oneOf(['DATERANGE', 'CUE', 'BOTH', 'NONE'], { description: 'How ad breaks are marked.' }),
  break_policy: oneOf(['ACTUAL', 'FULL_LENGTH'], {
    description: 'Whether the markers of a break cut short end with it or run to full length.',
  }),
  audience_source: oneOf(['NODES', 'LOGS'], {
    description:
      'Who counts its viewers: playout nodes, or imports of the access logs of a cache in front. Never both.',
  }),
  delay_ms: Type.Integer({
    minimum: 0,
    maximum: 86_400_000,
    multipleOf: 1_000,
    description:
      'How far its playlists and guide are behind the channel, in milliseconds, a multiple of 1,000. It cannot be changed.',
  }),
}
export const Output = named('Output', shape({ distributor, ...outputFields }))
export const Outputs = Type.Array(Output)
export const OutputDraft = named('OutputDraft', shape({ distributor, ...optional(outputFields) }))
export const OutputChange = named('OutputChange', changeOf(outputFields))
