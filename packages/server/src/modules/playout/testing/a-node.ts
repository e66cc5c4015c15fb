import type { TestContext } from 'node:test'
import type { CellSources } from '@continuity/core/audience/component-cells'
import type { FeedMessage } from '@continuity/core/feed/feed-message'
import { DEFAULT_LADDER } from '@continuity/core/media/ladder'
import { ORIGIN_MS } from '@continuity/core/schedule/testing/a-schedule'
import type { LiveView } from '@continuity/core/timeline/discontinuity'
import { rejectOtherMethods } from '../../../http/methods.ts'
import { aServer, listen } from '../../../http/testing/a-server.ts'
import { createMetrics, type Metrics } from '../../../platform/metrics/metrics.ts'
import type { Audience } from '../audience/open-audience.ts'
import { createChannelStore } from '../channel-store.ts'
import { playoutAddresses } from '../playlist-address.ts'
import { renderGuide } from '../render-guide.ts'
import { servePlaylists } from '../serve-playlists.ts'
import { anId, CHANNEL_ID } from './a-feed.ts'

export interface TestNode {
  readonly url: string
  /** The URL and the path of a file of an output of the channel. */
  addressOf(file: string, distributor?: string): string
  pathOf(file: string, distributor?: string): string
  apply(...messages: readonly FeedMessage[]): void
  setSeconds(seconds: number): void
  setMs(nowMs: number): void
  get(file: string, distributor?: string): Promise<Got>
  /** The value of a metric without labels. */
  read(name: string): number
  sweep(): void
  /** Sets whether the node has all channels. */
  setHasAllChannels(hasAllChannels: boolean): void
  /** Makes the node behave as if its server were closing. */
  stopListening(): void
  /** Internal errors. */
  readonly faults: readonly unknown[]
}

/** What the counting of viewers needs of a node. */
export type CountedSources = Pick<CellSources, 'timelineAt'> & { readonly metrics: Metrics }

export interface Got {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** A node on its own port, with a clock that the test sets. */
export async function aNode(
  t: TestContext,
  live?: LiveView,
  count?: (sources: CountedSources) => Pick<Audience, 'ids' | 'counter' | 'evict' | 'isExcluded'>,
): Promise<TestNode> {
  let nowMs = ORIGIN_MS
  let isClosing = false
  let hasAllChannels = true
  const clock = () => nowMs
  const metrics = createMetrics()
  const faults: unknown[] = []
  const store = createChannelStore({
    clock,
    onGap: () => {},
    onLateCut: () => {},
    onChange: (channelId) => {
      playlists.evict(channelId)
      audience?.evict(channelId)
    },
  })
  const audience = count?.({
    metrics,
    timelineAt(channelId, ticks, atMs) {
      const state = store.find(channelId)
      return state && playlists.timelineAt(state, ticks, atMs)
    },
  })
  const playlists = servePlaylists({
    store,
    clock,
    ladder: DEFAULT_LADDER,
    mediaBase: '/media/',
    ...(live === undefined ? {} : { live }),
    metrics,
    audience,
    renderGuide: async (query) => renderGuide(query, undefined),
    hasAllChannels: () => hasAllChannels,
    isClosing: () => isClosing,
    onFault: (error) => faults.push(error),
  })
  const { server } = aServer(t, { metrics, answerFirst: playlists.answer })
  rejectOtherMethods(server, [], [...playoutAddresses])
  const url = `http://127.0.0.1:${await listen(server)}`
  const pathOf = (file: string, distributor = 'direct') => `/channels/${CHANNEL_ID}/${distributor}/${file}`
  const addressOf = (file: string, distributor?: string) => `${url}${pathOf(file, distributor)}`
  return {
    url,
    addressOf,
    pathOf,
    apply: (...messages) => {
      for (const message of messages) store.apply(anId(), message)
    },
    setSeconds: (seconds) => {
      nowMs = ORIGIN_MS + Math.round(seconds * 1_000)
    },
    setMs: (ms) => {
      nowMs = ms
    },
    get: (file, distributor) => got(addressOf(file, distributor)),
    read: (name) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(metrics.print())?.[1]),
    sweep: playlists.sweep,
    setHasAllChannels: (isSo) => {
      hasAllChannels = isSo
    },
    stopListening: () => {
      isClosing = true
    },
    faults,
  }
}

export async function got(address: string, method = 'GET'): Promise<Got> {
  const answer = await fetch(address, { method })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}
