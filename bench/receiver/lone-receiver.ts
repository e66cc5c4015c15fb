import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { SourceConfig } from '@continuity/core/live/source-config'
import type { Child } from '@continuity/dev/child-process'
import { makeHome, mediaFolder } from '@continuity/dev/make-home'
import type { NatsUrls } from '@continuity/dev/nats-users'
import { waitForNode } from '@continuity/dev/node-process'
import { startPrivateNats } from '@continuity/dev/private-nats'
import { startReceiverProcess } from '@continuity/dev/receiver-process'
import { temporaryFolder } from '@continuity/dev/temporary-folder'
import { jetstream } from '@nats-io/jetstream'
import { type Bus, openBus } from '../../packages/server/src/platform/bus/bus.ts'
import { createBrokerClock } from '../../packages/server/src/platform/clock/broker-time.ts'
import { configSubject, ensureLiveStreams } from '../../packages/server/src/platform/live-bus/live-streams.ts'
import { createLog } from '../../packages/server/src/platform/log/logger.ts'

export const SLOT_MS = 3_200

/** A receiver process and NATS: neither database, API nor worker. */
export interface LoneReceiver {
  readonly child: Child
  readonly natsUrls: NatsUrls
  /** As the owner of NATS. */
  readonly bus: Bus
  /** Where it encodes. */
  readonly scratchFolder: string
  /** Where it stores, unless the settings name another store. */
  readonly mediaFolder: string
  /** Its log. */
  readonly logFile: string
  /** Publishes what workers publish for an activated source, and its deactivation when it is disposed of. */
  receive(url: string): Promise<LoneReception>
}

export interface LoneReception extends AsyncDisposable {
  readonly sourceId: string
}

export async function startLoneReceiver(
  opened: AsyncDisposableStack,
  options: { readonly allow: readonly string[]; readonly settings: Readonly<Record<string, string>> },
): Promise<LoneReceiver> {
  const home = await temporaryFolder(opened)
  await makeHome(home)
  const nats = await startPrivateNats({ home, searchPath: process.env['PATH'] ?? '', log: () => {} })
  opened.defer(() => nats.stop())
  const { logger } = createLog({ level: 'silent', process: 'proof', instance: 'proof' })
  const bus = openBus(nats.url, { name: 'proof', logger })
  opened.defer(() => bus.close())
  await bus.opened
  // As workers do: a receiver may not create streams.
  await ensureLiveStreams(bus.connection()!, 1)
  await createBrokerClock(bus, 1)()
  const child = await startReceiverProcess({
    home,
    natsUrl: nats.urls.receiver_1,
    settings: { RECEIVER_INPUTS: '40', ...options.settings, OUTBOUND_ALLOW: options.allow.join(',') },
  })
  opened.defer(() => child.stop())
  await waitForNode(child)

  let generation = 0
  const publish = async (sourceId: string, reception: SourceConfig['reception'], url: string) => {
    generation += 1
    const config: SourceConfig = {
      accountId: 'station',
      sourceId,
      generation,
      reception,
      urls: [url],
      frameRate: 30,
      segmentMs: SLOT_MS,
      loudnessLufs: null,
      cues: null,
    }
    await jetstream(bus.connection()!).publish(configSubject(sourceId), JSON.stringify(config))
  }
  return {
    child,
    natsUrls: nats.urls,
    bus,
    scratchFolder: join(home, 'receiver'),
    mediaFolder: mediaFolder(home),
    logFile: join(home, 'logs', 'receiver.log'),
    async receive(url) {
      const sourceId = randomUUID()
      await publish(sourceId, 'receive', url)
      return { sourceId, [Symbol.asyncDispose]: () => publish(sourceId, 'none', url) }
    },
  }
}
