import type { LiveSourceFields } from '@continuity/core/live/source-fields'
import { isId } from '../../platform/crypto/ids.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { UnknownVideo } from '../../platform/database/record-errors.ts'
import { UnknownChannel } from './errors.ts'

/** What live sources need of other modules: whether a record exists. */
export interface NamedRecords {
  /** Locks it against deletion until the transaction ends. */
  hasVideo(tx: Transaction, accountId: string, videoId: string): Promise<boolean>
  hasChannel(tx: Transaction, accountId: string, channelId: string): Promise<boolean>
  /** The channels that show a source. */
  listShowing(tx: Transaction, accountId: string, sourceId: string): Promise<readonly string[]>
}

/** Rejects a video or a channel that does not exist. */
export async function requireNamedRecords(
  tx: Transaction,
  named: NamedRecords,
  accountId: string,
  { adSlateVideoId, autoSwitchChannelIds = [] }: Partial<LiveSourceFields>,
): Promise<void> {
  if (adSlateVideoId !== undefined && adSlateVideoId !== null) {
    const exists = isId(adSlateVideoId) && (await named.hasVideo(tx, accountId, adSlateVideoId))
    if (!exists) throw UnknownVideo('ad_slate')
  }
  for (const [at, channelId] of autoSwitchChannelIds.entries()) {
    const exists = isId(channelId) && (await named.hasChannel(tx, accountId, channelId))
    if (!exists) throw UnknownChannel(`auto_switch_channel_ids/${at}`)
  }
}
