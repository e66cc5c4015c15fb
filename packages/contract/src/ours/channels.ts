import { endpoint } from '../definition/endpoint.ts'
import { exampleChannelDetail, exampleOutput, ids } from '../definition/examples.ts'
import {
  ChannelChange,
  ChannelDraft,
  ChannelStop,
  Distributor,
  LinearChannelDetail,
  Output,
  OutputChange,
  OutputDraft,
  Outputs,
} from '../schemas/channel.ts'
import { id } from '../schemas/scalars.ts'
import { shape } from '../schemas/shape.ts'
import { readers } from '../v2_3/channels.ts'

const common = { version: '2.3', group: 'Channels', ours: true } as const
const write = { ...common, access: ['ROLE_ADMIN'] } as const
const channelId = { linear_channel_id: id('Id of the channel.') }
const one = { params: shape(channelId) }
const channelPath = '/linear_channels/{linear_channel_id}'
const answer = { status: 200, description: 'The channel.', schema: LinearChannelDetail } as const
const notFound = { 'channel.not_found': 404 } as const
const stale = { 'record.changed': 412 } as const

export const createLinearChannel = endpoint({
  ...write,
  id: 'createLinearChannel',
  method: 'POST',
  path: '/linear_channels',
  summary: 'Make a linear channel',
  description: 'An account holds 10,000 channels at most. The output `direct` is made with the channel.',
  body: ChannelDraft,
  idempotencyKey: true,
  answer: { ...answer, status: 201 },
  errors: { 'video.unknown': 422, 'playlist.unknown': 422, 'channel.too_many': 422 },
  example: { body: { title: 'North One', filler_playlist_id: ids.playlist }, answer: exampleChannelDetail },
})
export const getLinearChannel = endpoint({
  ...common,
  ...one,
  id: 'getLinearChannel',
  method: 'GET',
  path: channelPath,
  summary: 'Read one linear channel',
  access: readers,
  answer,
  errors: notFound,
  example: { answer: exampleChannelDetail },
})
export const changeLinearChannel = endpoint({
  ...write,
  ...one,
  id: 'changeLinearChannel',
  method: 'PATCH',
  path: channelPath,
  summary: 'Change a linear channel',
  body: ChannelChange,
  answer,
  errors: {
    ...notFound,
    ...stale,
    'video.unknown': 422,
    'playlist.unknown': 422,
    'feed.unavailable': 503,
  },
  example: { body: { description: 'Drama around the clock.' }, answer: exampleChannelDetail },
})
export const deleteLinearChannel = endpoint({
  ...write,
  ...one,
  id: 'deleteLinearChannel',
  method: 'DELETE',
  path: channelPath,
  summary: 'Delete a linear channel',
  answer: { status: 204, description: 'It is gone.' },
  errors: { ...notFound, ...stale, 'record.in_use': 409 },
  example: {},
})
export const startLinearChannel = endpoint({
  ...write,
  ...one,
  id: 'startLinearChannel',
  method: 'PUT',
  path: `${channelPath}/start`,
  summary: 'Put a channel on air',
  description: 'PENDING_ON_AIR until its timeline is committed and its slates are ready, then ON_AIR.',
  idempotencyKey: true,
  answer,
  errors: { ...notFound, 'feed.unavailable': 503 },
  example: { answer: { ...exampleChannelDetail, status: 'PENDING_ON_AIR' } },
})
export const stopLinearChannel = endpoint({
  ...write,
  ...one,
  id: 'stopLinearChannel',
  method: 'PUT',
  path: `${channelPath}/stop`,
  summary: 'Take a channel off air',
  description: 'PENDING_OFFLINE until the program on air ends, or at once with `immediate`.',
  body: ChannelStop,
  bodyOptional: true,
  idempotencyKey: true,
  answer,
  errors: { ...notFound, 'feed.unavailable': 503 },
  example: { body: { immediate: true }, answer: { ...exampleChannelDetail, status: 'PENDING_OFFLINE' } },
})

const outputPath = `${channelPath}/outputs/{distributor}`
const oneOutput = { params: shape({ ...channelId, distributor: Distributor }) }

export const listOutputs = endpoint({
  ...common,
  ...one,
  id: 'listOutputs',
  method: 'GET',
  path: `${channelPath}/outputs`,
  summary: 'List the outputs of a channel',
  access: readers,
  answer: { status: 200, description: 'The outputs.', schema: Outputs },
  errors: notFound,
  example: { answer: [exampleOutput] },
})
export const createOutput = endpoint({
  ...write,
  ...one,
  id: 'createOutput',
  method: 'POST',
  path: `${channelPath}/outputs`,
  summary: 'Make an output',
  description:
    'A channel has 100 outputs at most. With a `delay_ms`, its playlists and its guide are those of the channel so much earlier.',
  body: OutputDraft,
  idempotencyKey: true,
  answer: { status: 201, description: 'The output.', schema: Output },
  errors: { ...notFound, 'output.exists': 409, 'output.too_many': 422 },
  example: {
    body: { distributor: 'harbourtv', markers: 'CUE' },
    answer: { ...exampleOutput, distributor: 'harbourtv', markers: 'CUE' },
  },
})
export const changeOutput = endpoint({
  ...write,
  ...oneOutput,
  id: 'changeOutput',
  method: 'PATCH',
  path: outputPath,
  summary: 'Change an output',
  body: OutputChange,
  answer: { status: 200, description: 'The output.', schema: Output },
  errors: { ...notFound, 'output.not_found': 404, 'output.delay_fixed': 409 },
  example: { body: { window_ms: 48_000 }, answer: { ...exampleOutput, window_ms: 48_000 } },
})
export const deleteOutput = endpoint({
  ...write,
  ...oneOutput,
  id: 'deleteOutput',
  method: 'DELETE',
  path: outputPath,
  summary: 'Delete an output',
  description:
    'The output `direct` stays as long as its channel: deleting it is rejected with `record.in_use`.',
  answer: { status: 204, description: 'It is gone.' },
  errors: { ...notFound, 'output.not_found': 404, 'record.in_use': 409 },
  example: {},
})
