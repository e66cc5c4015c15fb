import type { ChannelFields } from '@continuity/core/channels/channel-fields'
import type { Transaction } from '../../platform/database/database.ts'
import { UnknownVideo } from '../../platform/database/record-errors.ts'
import { UnknownPlaylist } from './errors.ts'
import { channelNames } from './wire.ts'

/** What channels need of the catalog: whether a record exists, with a lock against its deletion until the transaction ends. */
export interface NamedMedia {
  hasVideo(tx: Transaction, accountId: string, videoId: string): Promise<boolean>
  hasPlaylist(tx: Transaction, accountId: string, playlistId: string): Promise<boolean>
}

/** Fields that refer to the catalog: how a reference is checked, and the error if it does not exist. */
const named = {
  rescue_slate_video_id: ['hasVideo', UnknownVideo],
  time_fill_video_id: ['hasVideo', UnknownVideo],
  ad_slate_video_id: ['hasVideo', UnknownVideo],
  filler_playlist_id: ['hasPlaylist', UnknownPlaylist],
} as const satisfies Partial<Record<keyof typeof channelNames, readonly [keyof NamedMedia, unknown]>>

/**
 * Rejects an unknown video or playlist. A known one cannot be deleted before
 * the transaction ends, and after it because the channel refers to it.
 */
export async function requireNamedMedia(
  tx: Transaction,
  namedMedia: NamedMedia,
  accountId: string,
  fields: Partial<ChannelFields>,
): Promise<void> {
  for (const [field, [has, unknown]] of Object.entries(named)) {
    const id = fields[channelNames[field as keyof typeof named]]
    if (id === undefined || id === null) continue
    if (!(await namedMedia[has](tx, accountId, id))) throw unknown(field)
  }
}
