import type { Db } from '../../platform/database/database.ts'
import { endStepsOf, listStepsOf } from './feed-store.ts'
import { publishInOrder, type TellDeps } from './publish-feed.ts'

/**
 * Publishes what the feeds of many channels of an account have to tell. Channels that come while others are published go
 * together afterwards, with two statements for all of them. Gives a promise for each channel: when the feed has all.
 */
export function publishTogether(
  db: Db,
  deps: TellDeps,
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
  deps: TellDeps,
  accountId: string,
  group: ReadonlyMap<string, PromiseWithResolvers<void>>,
): Promise<void> {
  try {
    const steps = await listStepsOf(db, accountId, [...group.keys()])
    const byChannel = [...Map.groupBy(steps, ({ channelId }) => channelId)]
    const published = await Promise.allSettled(
      byChannel.map(([channelId, its]) => publishInOrder(db, deps, { accountId, channelId }, its)),
    )
    const ended = byChannel.flatMap(([, its], at) =>
      published[at]!.status === 'fulfilled' ? [its.at(-1)!] : [],
    )
    if (ended.length > 0) await endStepsOf(db, accountId, ended)
    for (const [at, [channelId]] of byChannel.entries()) {
      const result = published[at]!
      if (result.status === 'rejected') group.get(channelId)!.reject(result.reason)
    }
    for (const { resolve } of group.values()) resolve()
  } catch (error) {
    for (const { reject } of group.values()) reject(error)
  }
}
