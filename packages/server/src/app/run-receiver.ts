import { mkdir, rm } from 'node:fs/promises'
import { createServer } from '../http/create-server.ts'
import { type Dependency, serveHealth } from '../http/health.ts'
import { startReceiver } from '../modules/receiver/index.ts'
import { openBus } from '../platform/bus.ts'
import { createBrokerTime } from '../platform/clock/broker-time.ts'
import { createReferenceClock } from '../platform/clock/reference-clock.ts'
import type { ConfigOf } from '../platform/config/read-config.ts'
import { createGuard } from '../platform/guarded-fetch/guarded-client.ts'
import { openMediaStore } from '../platform/media-store/open-media-store.ts'
import { createProgramRunner } from '../platform/programs/run-program.ts'
import { untilStopped } from '../platform/stop-signal.ts'
import { mediaDependency } from './media-dependency.ts'
import { ladderOf } from './media-settings.ts'
import { openBase, PROBE_LIMITS } from './open-base.ts'
import type { receiverSettings } from './receiver-settings.ts'

export type ReceiverConfig = ConfigOf<typeof receiverSettings>

/** Often at first, until the median is of several; then often enough for a clock that drifts. */
const FIRST_READ_MS = 200
const READ_MS = 5_000

/** Receives live sources until it is stopped. It needs no database, and so outlives one. */
export async function runReceiver(config: ReceiverConfig, instance: string): Promise<void> {
  const stopped = untilStopped()
  const base = await openBase({ ...config, name: 'receiver', instance })
  const { logger, metrics } = base
  const { scratchFolder, mostInputs, encoderPreset: preset, programPath } = config
  await rm(scratchFolder, { recursive: true, force: true })
  await mkdir(scratchFolder, { recursive: true })
  const guard = createGuard({ allow: config.outboundAllow })
  const store = await openMediaStore(config)
  const bus = openBus(config.natsUrl, { name: `receiver ${instance}`, logger })
  // Slots are counted on the broker's clock, which decides whether an entry of the log was in time.
  const broker = createReferenceClock(createBrokerTime(bus, 1))
  let receiver: ReturnType<typeof startReceiver> | undefined

  const requireFollowing = async () => {
    if (receiver === undefined) throw new Error('waits for the time of NATS')
    if (!receiver.isCaughtUp()) throw new Error('has not read yet which sources should be received')
  }
  const dependencies: Dependency[] = [
    { name: 'nats', isRequired: false, ping: bus.ping },
    { name: 'sources', isRequired: false, ping: requireFollowing },
    mediaDependency(store),
  ]
  metrics.gauge('receiver_inputs_held', 'Inputs of live sources that this process receives.', () =>
    receiver === undefined ? 0 : receiver.held(),
  )
  metrics.gauge('receiver_inputs_wanted', 'Inputs that should be received, by any process.', () =>
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
  let lastOriginMs = 0 // of the broker's clock; kept when it was not read lately
  const brokerMs = () => {
    const serverMs = broker.serverMs()
    if (serverMs !== undefined) lastOriginMs = serverMs - performance.now()
    return performance.now() + lastOriginMs
  }
  if (!stopped.isStopped()) {
    receiver = startReceiver({
      bus,
      guard,
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
  await Promise.all([guard.close(), store.close()])
  await rm(scratchFolder, { recursive: true, force: true })
  logger.info('stopped')
  base.close()
}
