import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { makeHome, mediaFolder } from '@continuity/dev/make-home'
import { startPrivateNats } from '@continuity/dev/private-nats'
import { openBus } from '../../packages/server/src/platform/bus/bus.ts'
import {
  type FeedPublisher,
  openFeedPublisher,
} from '../../packages/server/src/platform/feed/feed-publisher.ts'
import { ensureLiveStreams } from '../../packages/server/src/platform/live-bus/live-streams.ts'
import { createLogger } from '../../packages/server/src/platform/log/logger.ts'
import { type MeasuredServer, startMeasuredServer } from '../engine/measured-server.ts'
import type { PlannedChannels } from './planned-channels.ts'

const NODE = join(import.meta.dirname, '../../packages/server/src/bin/playout.ts')

/** The environment of the nodes: a feed with heartbeats, as workers send them. */
export interface BenchHome extends AsyncDisposable {
  readonly folder: string
  /** Starts a real node in a separate process, with the first of the planned channels. */
  startNode(
    channels: PlannedChannels,
    count: number,
    env?: Readonly<Record<string, string>>,
  ): Promise<MeasuredServer>
}

export async function openBenchHome(): Promise<BenchHome> {
  await using opening = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'continuity-bench-'))
  opening.defer(() => rm(folder, { recursive: true, force: true }))
  await makeHome(folder)
  const nats = await startPrivateNats({ home: folder, searchPath: process.env['PATH'] ?? '', log: () => {} })
  opening.defer(() => nats.stop())
  const logger = createLogger({ level: 'warn', base: {}, write: (line) => process.stderr.write(line) })
  const bus = openBus(nats.url, { name: 'bench', logger })
  opening.defer(() => bus.close())
  await bus.opened
  // As workers do: a node would retry to follow streams that do not exist, twice a second.
  await ensureLiveStreams(bus.connection()!, 1)
  opening.use(sendHeartbeats(openFeedPublisher(bus, { replicas: 1, logger })))
  const opened = opening.move()
  let nodes = 0

  return {
    folder,
    async startNode(channels, count, env = {}) {
      nodes += 1
      const home = join(folder, `node-${nodes}`)
      await channels.writeTo(home, count)
      return startMeasuredServer(NODE, join(folder, 'logs', `node-${nodes}.log`), {
        env: {
          HOST: '127.0.0.1',
          PORT: '0',
          NATS_URL: nats.urls.playout_1,
          MEDIA_STORE: mediaFolder(folder),
          SNAPSHOT_FOLDER: home,
          ...env,
        },
      })
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

function sendHeartbeats(publisher: FeedPublisher): AsyncDisposable {
  const over = new AbortController()
  const run = async () => {
    while (!over.signal.aborted) {
      await publisher.publishHeartbeat(Date.now())
      await setTimeout(1_000, undefined, { signal: over.signal }).catch(() => {})
    }
  }
  const running = run()
  return {
    async [Symbol.asyncDispose]() {
      over.abort()
      await running
    },
  }
}
