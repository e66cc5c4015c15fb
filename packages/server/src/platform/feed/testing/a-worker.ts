import type { TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { FeedPublisher } from '../feed-publisher.ts'
import { aChannel, aPublisher, aWhole, type TestFollower, until } from './a-feed-system.ts'

/** What a test has of a worker: it beats, and fills a stream that has no mark with all that is on record. */
export interface TestWorker extends FeedPublisher {
  /** A step that is on record, and is told until the feed has taken it. */
  commit(channelId: string): Promise<void>
  /** The steps that everybody knows who knows all. */
  record(): readonly string[]
}

export async function aWorker(t: TestContext, url: string, replicas = 1): Promise<TestWorker> {
  const publisher = await aPublisher(t, url, replicas)
  const versions = new Map<string, number>()
  const abort = new AbortController()
  const tell = async (channelId: string) => {
    await publisher.publishStep(aChannel(channelId), aWhole(versions.get(channelId)!, channelId))
  }
  const work = async () => {
    while (!abort.signal.aborted) {
      await lookAfter().catch(() => {}) // the feed is not there; it is looked at again
      await setTimeout(200, undefined, { signal: abort.signal }).catch(() => {})
    }
  }
  const lookAfter = async () => {
    await publisher.beat(Date.now())
    if ((await publisher.findMarker()) !== undefined) return
    for (const channelId of versions.keys()) await tell(channelId)
    await publisher.mark(await publisher.findStream(), 1)
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
      await until(() => abort.signal.aborted || tell(channelId).then(isTold, isNotTold), 30_000)
    },
    record: () => [...versions].map(([channelId, version]) => `${channelId} whole ${version}`),
  }
}

const isTold = () => true
const isNotTold = () => false

/** Whether it was handed everything since, in whatever order. */
export const knowsAll = ({ steps }: TestFollower, worker: TestWorker, since = 0): boolean =>
  worker.record().every((step) => steps.includes(step, since))
