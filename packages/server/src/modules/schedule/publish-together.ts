import type { Db } from '../../platform/database/database.ts'
import { endUpdatesOf, listUpdatesOf } from './feed-store.ts'
import { type PublishDeps, publishInOrder } from './publish-feed.ts'

/**
 * Publishes the pending updates of many channels of an account. Channels that are added while others are published form the
 * next group, with two statements for all of them. Each channel gets a promise that resolves when the feed has its updates.
 */
export function publishTogether(
  db: Db,
  deps: PublishDeps,
  accountId: string,
): (channelId: string) => Promise<void> {
  let waiting = new Map<string, PromiseWithResolvers<void>>()
  let isPublishing = false
  const publishAll = async () => {
    isPublishing = true
    while (waiting.size > 0) {
      const group = waiting
      waiting = new Map()
      await publishGroup(db, deps, accountId, group)
    }
    isPublishing = false
  }
  return (channelId) => {
    const entry = waiting.get(channelId) ?? Promise.withResolvers<void>()
    waiting.set(channelId, entry)
    if (!isPublishing) void publishAll()
    return entry.promise
  }
}

async function publishGroup(
  db: Db,
  deps: PublishDeps,
  accountId: string,
  group: ReadonlyMap<string, PromiseWithResolvers<void>>,
): Promise<void> {
  try {
    const updates = await listUpdatesOf(db, accountId, [...group.keys()])
    const byChannel = [...Map.groupBy(updates, ({ channelId }) => channelId)]
    const published = await Promise.allSettled(
      byChannel.map(([channelId, its]) => publishInOrder(db, deps, { accountId, channelId }, its)),
    )
    const ended = byChannel.flatMap(([, its], at) =>
      published[at]!.status === 'fulfilled' ? [its.at(-1)!] : [],
    )
    if (ended.length > 0) await endUpdatesOf(db, accountId, ended)
    for (const [at, [channelId]] of byChannel.entries()) {
      const result = published[at]!
      if (result.status === 'rejected') group.get(channelId)!.reject(result.reason)
    }
    for (const { resolve } of group.values()) resolve()
  } catch (error) {
    for (const { reject } of group.values()) reject(error)
  }
}
