import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FeedMessage } from '@continuity/core/feed/feed-message'
import { DEFAULT_LADDER } from '@continuity/core/media/ladder'
import type { LiveView } from '@continuity/core/timeline/discontinuity'
import type { WindowedProgram } from '@continuity/core/timeline/span'
import { createMetrics } from '../../../platform/metrics/metrics.ts'
import { createChannelStore } from '../channel-store.ts'
import { renderGuide } from '../render-guide.ts'
import { servePlaylists } from '../serve-playlists.ts'

/** A playout node with one channel, in this process and by a clock that the caller drives. */
export interface InProcessNode {
  apply(message: FeedMessage): void
  /** The planned programs, for the guides. */
  setPlanned(programs: readonly WindowedProgram[]): void
  /** The body, or the status and the code of the error. */
  get(distributor: string, file: string): Promise<string>
  sweep(): void
}

export function createInProcessNode(
  ids: { readonly accountId: string; readonly channelId: string },
  clock: { readonly nowMs: number },
  live: LiveView,
): InProcessNode {
  const { accountId, channelId } = ids
  let planned: readonly WindowedProgram[] | undefined
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
    renderGuide: async (query) => renderGuide(query, planned),
    hasAllChannels: () => true,
    isClosing: () => false,
    onFault: (error) => {
      throw error
    },
  })
  return {
    apply: (message) => store.apply({ accountId, channelId }, message),
    setPlanned(programs) {
      planned = programs
      playlists.evictGuides(channelId)
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
