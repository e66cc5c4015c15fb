import type { ChannelFields } from '@continuity/core/channels/channel-fields'
import { UnknownPlaylist, UnknownVideo } from './errors.ts'
import { channelNames } from './wire.ts'

/** Fields that name a video or a playlist of the catalog, with the refusal of one that is not there. */
const refusals = {
  rescue_slate_video_id: UnknownVideo,
  time_fill_video_id: UnknownVideo,
  ad_slate_video_id: UnknownVideo,
  filler_playlist_id: UnknownPlaylist,
} as const

/**
 * Refuses a video or a playlist that is not there, which today is every one:
 * the catalog keeps none yet. Once it does, these four are foreign keys, and
 * this turns a broken one into the same refusals by the same table.
 */
export function requireNamedMedia(fields: Partial<ChannelFields>): void {
  for (const [name, refuse] of Object.entries(refusals)) {
    const id = fields[channelNames[name as keyof typeof refusals]]
    if (id !== undefined && id !== null) throw refuse(name)
  }
}
