import { type Access, endpoint } from '../definition/endpoint.ts'
import { exampleChannel, ids } from '../definition/examples.ts'
import {
  ChannelItems,
  channelListQuery,
  LinearChannels,
  OverrideItems,
  OverrideResults,
  ReturnResults,
} from '../schemas/channel.ts'
import { id } from '../schemas/scalars.ts'
import { shape } from '../schemas/shape.ts'

export const readers = ['ROLE_ADMIN', 'ROLE_OPERATOR', 'ROLE_USER', 'SCHEDULE'] as const satisfies Access
export const operators = ['ROLE_ADMIN', 'ROLE_OPERATOR'] as const satisfies Access

const bulk = {
  version: '2.3',
  method: 'POST',
  group: 'Channels',
  access: operators,
  idempotencyKey: true,
} as const
const bulkErrors = { 'feed.unavailable': 503 } as const

export const listLinearChannels = endpoint({
  id: 'listLinearChannels',
  version: '2.3',
  method: 'GET',
  path: '/linear_channels',
  group: 'Channels',
  summary: 'List linear channels',
  access: readers,
  query: shape(channelListQuery),
  answer: { status: 200, description: 'The channels.', schema: LinearChannels },
  example: { answer: [exampleChannel] },
})

const overridden = {
  title: 'Harbour camera',
  description: '',
  status: 200,
  linear_channel_id: ids.channel,
  linear_channel_override_status: 'OVERRIDDEN',
}

export const overrideChannels = endpoint({
  ...bulk,
  id: 'overrideChannels',
  path: '/linear_channels/override/{live_source_id}',
  summary: 'Cut channels to a live source',
  description:
    'Each channel answers for itself: one that fails changes nothing for the others. The title and the ' +
    'description are those of the program on air.',
  params: shape({ live_source_id: id('The live source; it must be ACTIVE.') }),
  body: OverrideItems,
  answer: { status: 200, description: 'One result a channel.', schema: OverrideResults },
  errors: { 'live_source.not_found': 404, 'live_source.not_active': 409, ...bulkErrors },
  example: {
    body: [{ title: 'Harbour camera', description: '', linear_channel_id: ids.channel }],
    answer: [overridden],
  },
})

export const rescueChannels = endpoint({
  ...bulk,
  id: 'rescueChannels',
  path: '/linear_channels/override/rescue_slate',
  summary: 'Put channels on their rescue slate',
  body: ChannelItems,
  answer: { status: 200, description: 'One result a channel.', schema: OverrideResults },
  errors: bulkErrors,
  example: {
    body: [{ linear_channel_id: ids.channel }],
    answer: [{ ...overridden, title: 'North One', description: 'Drama around the clock.' }],
  },
})

export const returnChannelsToSchedule = endpoint({
  ...bulk,
  id: 'returnChannelsToSchedule',
  path: '/linear_channels/return_to_schedule',
  summary: 'Return channels to their schedule',
  description:
    'A channel comes back into what is scheduled for that moment; what it missed is not made up for.',
  body: ChannelItems,
  answer: { status: 200, description: 'One result a channel.', schema: ReturnResults },
  errors: bulkErrors,
  example: {
    body: [{ linear_channel_id: ids.channel }],
    answer: [{ status: 200, linear_channel_id: ids.channel, linear_channel_override_status: 'NOT_STARTED' }],
  },
})
