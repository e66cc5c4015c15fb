import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FeedChannel, FeedMessage } from '@continuity/core/feed/feed-message'
import { DEFAULT_LADDER } from '@continuity/core/media/ladder'
import { emptyPacked, packRun } from '@continuity/core/timeline/codec/packed'
import type { LiveView } from '@continuity/core/timeline/discontinuity'
import type { Run } from '@continuity/core/timeline/run'
import { createChannelStore } from '../../packages/server/src/modules/playout/channel-store.ts'
import { renderGuide } from '../../packages/server/src/modules/playout/render-guide.ts'
import { servePlaylists } from '../../packages/server/src/modules/playout/serve-playlists.ts'
import { createMetrics } from '../../packages/server/src/platform/metrics/metrics.ts'

/** A playout node with one channel, by the clock of the proof. */
export interface DelayedNode {
  apply(runs: readonly Run[]): void
  /** The body, or the status and the code of the error. */
  get(distributor: string, file: string): Promise<string>
  sweep(): void
}

export function createDelayedNode(
  channel: FeedChannel,
  clock: { readonly nowMs: number },
  live: LiveView,
): DelayedNode {
  const { accountId, channelId } = channel
  const store = createChannelStore({
    clock: () => clock.nowMs,
    onGap: () => {},
    onLateCut: () => {},
    onChange: () => playlists.evict(channelId),
  })
  const playlists = servePlaylists({
    store,
    clock: () => clock.nowMs,
    ladder: DEFAULT_LADDER,
    mediaBase: '/media/',
    live,
    metrics: createMetrics(),
    renderGuide: async (query) => renderGuide(query, undefined),
    hasAllChannels: () => true,
    isClosing: () => false,
    onFault: (error) => {
      throw error
    },
  })
  const send = (message: FeedMessage) => store.apply({ accountId, channelId }, message)
  let version = 1
  send({ kind: 'whole', epoch: 1, version, channel, timeline: emptyPacked })
  return {
    apply(runs) {
      version += 1
      send({ kind: 'change', epoch: 1, version, channel: null, runs: runs.map(packRun), settled: [] })
    },
    async get(distributor, file) {
      let status = 0
      const url = `/channels/${channelId}/${distributor}/${file}`
      const request = { url, method: 'GET', headers: { host: 'node' }, httpVersion: '1.1' }
      // A guide is rendered asynchronously.
      const text = await new Promise<string>((resolve) => {
        const response = {
          writeHead: (it: number) => {
            status = it
          },
          end: (body: string | Buffer) => resolve(body.toString()),
        }
        playlists.answer(request as IncomingMessage, response as unknown as ServerResponse)
      })
      return status === 200 ? text : `${status} ${(JSON.parse(text) as { code: string }).code}`
    },
    sweep: playlists.sweep,
  }
}
