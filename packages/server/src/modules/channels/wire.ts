import type { AnswerOf, BodyOf, Operations } from '@continuity/contract'
import type { ChannelFields } from '@continuity/core/channels/channel-fields'
import type { OutputFields } from '@continuity/core/channels/output-fields'
import type { Output } from './output-store.ts'
import type { Channel } from './store.ts'

export type WireChannel = AnswerOf<Operations['getLinearChannel']>
export type WireOutput = AnswerOf<Operations['changeOutput']>
type WireChannelChange = BodyOf<Operations['changeLinearChannel']>
type WireOutputChange = BodyOf<Operations['changeOutput']>

export const toWireChannel = (channel: Channel): WireChannel => ({
  title: channel.title,
  description: channel.description,
  internal_title: channel.internalTitle,
  status: channel.status,
  linear_channel_id: channel.channelId,
  linear_channel_override_status: channel.overrideStatus,
  rescue_slate_video_id: channel.rescueSlateVideoId,
  time_fill_video_id: channel.timeFillVideoId,
  ad_slate_video_id: channel.adSlateVideoId,
  filler_playlist_id: channel.fillerPlaylistId,
  filler_title: channel.fillerTitle,
  created_date: new Date(channel.createdMs).toISOString(),
  last_updated: new Date(channel.updatedMs).toISOString(),
})

export const toWireOutput = (output: Output): WireOutput => ({
  distributor: output.distributor,
  key: output.key,
  window_ms: output.windowMs,
  markers: output.markers,
  break_policy: output.breakPolicy,
  audience_source: output.audienceSource,
  delay_ms: output.delayMs,
})

/** API field to record field. */
export const channelNames = {
  title: 'title',
  description: 'description',
  internal_title: 'internalTitle',
  rescue_slate_video_id: 'rescueSlateVideoId',
  time_fill_video_id: 'timeFillVideoId',
  ad_slate_video_id: 'adSlateVideoId',
  filler_playlist_id: 'fillerPlaylistId',
  filler_title: 'fillerTitle',
} as const satisfies Record<keyof WireChannelChange, keyof ChannelFields>

const outputNames = {
  key: 'key',
  window_ms: 'windowMs',
  markers: 'markers',
  break_policy: 'breakPolicy',
  audience_source: 'audienceSource',
  delay_ms: 'delayMs',
} as const satisfies Record<keyof WireOutputChange, keyof OutputFields>

export const readChannelFields = (body: WireChannelChange) =>
  renamed(body, channelNames) as Partial<ChannelFields>

export const readOutputFields = (body: WireOutputChange) =>
  renamed(body, outputNames) as Partial<OutputFields>

/** Absent fields stay absent: only fields that were sent are changed. */
function renamed(body: object, names: Readonly<Record<string, string>>): object {
  const entries = Object.entries(body).filter(([name]) => Object.hasOwn(names, name))
  return Object.fromEntries(entries.map(([name, value]) => [names[name], value]))
}
