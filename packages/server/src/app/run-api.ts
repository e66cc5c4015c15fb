import { drain } from '../http/drain.ts'
import type { Dependency } from '../http/health.ts'
import { verifyToken } from '../modules/auth/index.ts'
import { openBus } from '../platform/bus.ts'
import { realClock } from '../platform/clock/clock.ts'
import { followClock } from '../platform/clock/follow-clock.ts'
import { openDatabase } from '../platform/database.ts'
import { createLog } from '../platform/logger.ts'
import { createMetrics } from '../platform/metrics.ts'
import { countProcess } from '../platform/process-metrics.ts'
import { untilStopped } from '../platform/stop-signal.ts'
import { buildApi } from './build-api.ts'
import { buildHandlers } from './build-handlers.ts'
import type { ApiConfig } from './read-api-config.ts'

const NATS_PATIENCE_MS = 1_000

/** Builds the API, serves until it is told to stop, and closes everything that it opened. */
export async function runApi(config: ApiConfig, instance: string): Promise<void> {
  const stopped = untilStopped()
  const { logger, flush, droppedLines } = createLog({ level: config.logLevel, process: 'api', instance })
  // Also when the process ends by a bug: its last lines are the ones that matter.
  process.once('exit', flush)
  const metrics = createMetrics()
  metrics.total('log_lines_dropped_total', 'Lines that a slow disk or pipe did not take.', droppedLines)
  const processMetrics = countProcess(metrics)
  const steered = config.clockControl === '' ? undefined : await followClock(config.clockControl)
  if (steered !== undefined)
    logger.warn({ control: config.clockControl }, 'the clock is steered: this is a test')
  const database = openDatabase(config.databaseUrl, { logger })
  const bus = openBus(config.natsUrl, { name: `api ${instance}`, logger })
  const dependencies: Dependency[] = [
    { name: 'postgresql', isRequired: true, ping: database.ping },
    { name: 'nats', isRequired: false, ping: bus.ping },
  ]

  const { server, health } = buildApi({
    logger,
    metrics,
    clock: steered?.clock ?? realClock,
    verifyCredential: (credential, nowMs) => {
      const result = verifyToken(config.keys, credential, nowMs)
      return result.kind === 'valid' ? { kind: 'valid', principal: result.claims } : result
    },
    dependencies,
    corsOrigins: config.corsOrigins,
    limits: { requestsInFlight: config.maxRequestsInFlight, eventLoopDelayMs: config.maxEventLoopDelayMs },
    deadlineMs: config.deadlineMs,
    checkAnswers: config.checkAnswers === 'yes',
    handlers: buildHandlers(),
  })
  const url = await server.listen({ host: config.host, port: config.port })
  logger.info({ url }, 'listening')

  // NATS is not needed to serve, but most often it is there a moment later.
  await Promise.race([bus.opened, stopped.orAfter(NATS_PATIENCE_MS)])
  while (!(await health.isReady()) && !stopped.isStopped()) await stopped.orAfter(100)
  if (!stopped.isStopped()) {
    logger.info('ready')
    process.send?.({ ready: true, url })
  }

  logger.info({ reason: await stopped.reason }, 'stopping')
  await drain(server, health, { graceMs: config.drainGraceMs, lastMs: config.drainLastMs }, logger)
  await bus.close()
  await database.close()
  steered?.close()
  processMetrics.close()
  // A parent's channel would keep the process alive.
  if (process.connected) process.disconnect()
}
