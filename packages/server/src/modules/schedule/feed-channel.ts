import type { FeedChannel } from '@continuity/core/feed/feed-message'
import type { Db } from '../../platform/database/database.ts'
import { getAccount } from '../accounts/read.ts'
import { type Channel, listOutputs } from '../channels/index.ts'

/** A channel as it is published to playout nodes. */
export async function loadFeedChannel(db: Db, channel: Channel): Promise<FeedChannel> {
  const { accountId, channelId, title, description, fillerTitle } = channel
  const { frameRate, segmentMs } = await getAccount(db, accountId)
  const outputs = await listOutputs(db, accountId, channelId)
  return {
    accountId,
    channelId,
    title,
    description,
    frameRate,
    segmentMs,
    ...(fillerTitle === null ? {} : { fillerTitle }),
    outputs: outputs.map(({ distributor, key, windowMs, markers, breakPolicy, audienceSource, delayMs }) => ({
      distributor,
      key,
      windowMs,
      markers,
      breakPolicy,
      audienceSource,
      delayMs,
    })),
  }
}
