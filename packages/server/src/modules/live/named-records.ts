import type { LiveSourceFields } from '@continuity/core/live/source-fields'
import type { Transaction } from '../../platform/database/database.ts'
import { isId } from '../../platform/ids.ts'
import { UnknownVideo } from '../../platform/record-errors.ts'
import { UnknownChannel } from './errors.ts'

/** What live sources must know of other modules: whether a record exists. */
export interface NamedRecords {
  /** It is not deleted before the transaction ends. */
  hasVideo(tx: Transaction, accountId: string, videoId: string): Promise<boolean>
  hasChannel(tx: Transaction, accountId: string, channelId: string): Promise<boolean>
  /** The channels that show a source. */
  listShowing(tx: Transaction, accountId: string, sourceId: string): Promise<readonly string[]>
}

/** Refuses a video or a channel that does not exist. */
export async function requireNamedRecords(
  tx: Transaction,
  named: NamedRecords,
  accountId: string,
  { adSlateVideoId, autoSwitchChannelIds = [] }: Partial<LiveSourceFields>,
): Promise<void> {
  if (adSlateVideoId !== undefined && adSlateVideoId !== null) {
    const isThere = isId(adSlateVideoId) && (await named.hasVideo(tx, accountId, adSlateVideoId))
    if (!isThere) throw UnknownVideo('ad_slate')
  }
  for (const [at, channelId] of autoSwitchChannelIds.entries()) {
    const isThere = isId(channelId) && (await named.hasChannel(tx, accountId, channelId))
    if (!isThere) throw UnknownChannel(`auto_switch_channel_ids/${at}`)
  }
}
