import { mkdir, rm } from 'node:fs/promises'
import { createServer } from '../http/create-server.ts'
import { type Dependency, serveHealth } from '../http/health.ts'
import { startReceiver } from '../modules/receiver/index.ts'
import { openBus } from '../platform/bus/bus.ts'
import { createBrokerTime } from '../platform/clock/broker-time.ts'
import { createReferenceClock } from '../platform/clock/reference-clock.ts'
import { untilStopped } from '../platform/concurrency/stop-signal.ts'
import type { ConfigOf } from '../platform/config/read-config.ts'
import { openMediaStore } from '../platform/media-store/open-media-store.ts'
import { createOutboundClient } from '../platform/outbound/outbound-client.ts'
import { createProgramRunner } from '../platform/programs/run-program.ts'
import { mediaDependency } from './media-dependency.ts'
import { ladderOf } from './media-settings.ts'
import { openBase, PROBE_LIMITS } from './open-base.ts'
import type { receiverSettings } from './receiver-settings.ts'

export type ReceiverConfig = ConfigOf<typeof receiverSettings>

/** Frequently at first, until there are several readings; then often enough for a drifting clock. */
const FIRST_READ_MS = 200
const READ_MS = 5_000

/** Receives live sources until it is stopped. It needs no database, and so survives an outage of it. */
export async function runReceiver(config: ReceiverConfig, instance: string): Promise<void> {
  const stopped = untilStopped()
  const base = await openBase({ ...config, name: 'receiver', instance })
  const { logger, metrics } = base
  const { scratchFolder, mostInputs, encoderPreset: preset, programPath } = config
  await rm(scratchFolder, { recursive: true, force: true })
  await mkdir(scratchFolder, { recursive: true })
  const outboundClient = createOutboundClient({ allow: config.outboundAllow })
  const store = await openMediaStore(config)
  const bus = openBus(config.natsUrl, { name: `receiver ${instance}`, logger })
  // Slots are counted on the broker's clock, which determines whether a log entry was in time.
  const broker = createReferenceClock(createBrokerTime(bus, 1))
  let receiver: ReturnType<typeof startReceiver> | undefined

  const requireFollowing = async () => {
    if (receiver === undefined) throw new Error('waiting for the clock of NATS')
    if (!receiver.isCaughtUp()) throw new Error('has not read the source configuration yet')
  }
  const dependencies: Dependency[] = [
    { name: 'nats', isRequired: false, ping: bus.ping },
    { name: 'sources', isRequired: false, ping: requireFollowing },
    mediaDependency(store),
  ]
  metrics.gauge('receiver_inputs_leased', 'Live source inputs received by this process.', () =>
    receiver === undefined ? 0 : receiver.held(),
  )
  metrics.gauge('receiver_inputs_wanted', 'Live source inputs to be received, by all processes.', () =>
    receiver === undefined ? 0 : receiver.wanted(),
  )
  const server = createServer({ logger, metrics, corsOrigins: [], trustedProxies: [], limits: PROBE_LIMITS })
  const health = serveHealth(server, dependencies, metrics)
  const url = await server.listen({ host: config.host, port: config.port })
  logger.info({ url }, 'listening')
  logger.info('ready')
  process.send?.({ ready: true, url })

  while (!stopped.isStopped() && broker.readings() < 3) {
    await broker.sample()
    await stopped.orAfter(FIRST_READ_MS)
  }
  const reading = setInterval(() => void broker.sample(), READ_MS)
  let lastOriginMs = 0 // of the broker's clock; kept without recent readings
  const brokerMs = () => {
    const serverMs = broker.serverMs()
    if (serverMs !== undefined) lastOriginMs = serverMs - performance.now()
    return performance.now() + lastOriginMs
  }
  if (!stopped.isStopped()) {
    receiver = startReceiver({
      bus,
      outboundClient,
      store,
      runProgram: createProgramRunner({ path: programPath, logger }),
      ladder: ladderOf(config),
      preset,
      scratchFolder,
      holder: instance,
      mostInputs,
      brokerMs,
      steadyMs: () => performance.now(),
      logger,
    })
  }

  logger.info({ reason: await stopped.reason }, 'stopping')
  health.drain()
  clearInterval(reading)
  await receiver?.close()
  await server.close()
  await bus.close()
  await Promise.all([outboundClient.close(), store.close()])
  await rm(scratchFolder, { recursive: true, force: true })
  logger.info('stopped')
  base.close()
}
