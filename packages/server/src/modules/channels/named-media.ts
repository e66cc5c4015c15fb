import type { ChannelFields } from '@continuity/core/channels/channel-fields'
import type { Transaction } from '../../platform/database/database.ts'
import { UnknownVideo } from '../../platform/record-errors.ts'
import { UnknownPlaylist } from './errors.ts'
import { channelNames } from './wire.ts'

/** What channels must know of the catalog: whether something is there, and that it then stays until they are done. */
export interface NamedMedia {
  hasVideo(tx: Transaction, accountId: string, videoId: string): Promise<boolean>
  hasPlaylist(tx: Transaction, accountId: string, playlistId: string): Promise<boolean>
}

/** Fields that name something of the catalog: how it is looked for, and the refusal where it is not there. */
const named = {
  rescue_slate_video_id: ['hasVideo', UnknownVideo],
  time_fill_video_id: ['hasVideo', UnknownVideo],
  ad_slate_video_id: ['hasVideo', UnknownVideo],
  filler_playlist_id: ['hasPlaylist', UnknownPlaylist],
} as const satisfies Partial<Record<keyof typeof channelNames, readonly [keyof NamedMedia, unknown]>>

/**
 * Refuses a video or a playlist that is not there. One that is cannot be
 * deleted before the transaction ends, and after it the channel holds it.
 */
export async function requireNamedMedia(
  tx: Transaction,
  namedMedia: NamedMedia,
  accountId: string,
  fields: Partial<ChannelFields>,
): Promise<void> {
  for (const [field, [has, refuse]] of Object.entries(named)) {
    const id = fields[channelNames[field as keyof typeof named]]
    if (id === undefined || id === null) continue
    if (!(await namedMedia[has](tx, accountId, id))) throw refuse(field)
  }
}
