import type { TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { FeedPublisher } from '../feed-publisher.ts'
import { aChannel, aPublisher, aSnapshot, type TestFollower, until } from './a-feed-system.ts'

/** A worker of a test: it sends heartbeats, and fills a stream without a marker with all channels. */
export interface TestWorker extends FeedPublisher {
  /** Commits an update, and publishes it until the feed has stored it. */
  commit(channelId: string): Promise<void>
  /** The updates of a follower that has received everything. */
  record(): readonly string[]
}

export async function aWorker(t: TestContext, url: string, replicas = 1): Promise<TestWorker> {
  const publisher = await aPublisher(t, url, replicas)
  const versions = new Map<string, number>()
  const abort = new AbortController()
  const publish = async (channelId: string) => {
    await publisher.publishUpdate(aChannel(channelId), aSnapshot(versions.get(channelId)!, channelId))
  }
  const work = async () => {
    while (!abort.signal.aborted) {
      await maintain().catch(() => {}) // the feed is unavailable; retried
      await setTimeout(200, undefined, { signal: abort.signal }).catch(() => {})
    }
  }
  const maintain = async () => {
    await publisher.publishHeartbeat(Date.now())
    if ((await publisher.findMarker()) !== undefined) return
    for (const channelId of versions.keys()) await publish(channelId)
    await publisher.publishMarker(await publisher.findStream(), 1)
  }
  const working = work()
  t.after(async () => {
    abort.abort()
    await working
  })
  return {
    ...publisher,
    async commit(channelId) {
      versions.set(channelId, (versions.get(channelId) ?? 0) + 1)
      await until(() => abort.signal.aborted || publish(channelId).then(isPublished, isNotPublished), 30_000)
    },
    record: () => [...versions].map(([channelId, version]) => `${channelId} whole ${version}`),
  }
}

const isPublished = () => true
const isNotPublished = () => false

/** Whether it received everything since, in any order. */
export const hasReceivedAll = ({ updates: steps }: TestFollower, worker: TestWorker, since = 0): boolean =>
  worker.record().every((update) => steps.includes(update, since))
