import type { Dependency } from '../http/health.ts'
import { openBus } from '../platform/bus.ts'
import { realClock } from '../platform/clock/clock.ts'
import { followClock } from '../platform/clock/follow-clock.ts'
import { openDatabase } from '../platform/database/database.ts'
import { readMigrations } from '../platform/database/migrations.ts'
import { openPing } from '../platform/database/ping.ts'
import { findSchemaFault } from '../platform/database/schema-check.ts'
import { createLog, type LogLevel } from '../platform/logger.ts'
import { createMetrics } from '../platform/metrics.ts'
import { countProcess } from '../platform/process-metrics.ts'

export interface ProcessOptions {
  readonly name: 'api' | 'worker'
  readonly instance: string
  readonly logLevel: LogLevel
  readonly clockControl: string
  readonly databaseUrl: string
  readonly databaseConnections: number
  readonly natsUrl: string
}

export type OpenedProcess = Awaited<ReturnType<typeof openProcess>>

/** What every process leans on: log, metrics, clock, database and bus. */
export async function openProcess(options: ProcessOptions) {
  const { name, instance, logLevel, clockControl, databaseUrl, databaseConnections, natsUrl } = options
  const { logger, flush, droppedLines } = createLog({ level: logLevel, process: name, instance })
  // Also when the process ends by a bug: its last lines are the ones that matter.
  process.once('exit', flush)
  const metrics = createMetrics()
  metrics.total('log_lines_dropped_total', 'Lines that a slow disk or pipe did not take.', droppedLines)
  const processMetrics = countProcess(metrics)
  const steered = clockControl === '' ? undefined : await followClock(clockControl)
  if (steered !== undefined) logger.warn({ control: clockControl }, 'the clock is steered: this is a test')
  const database = openDatabase(databaseUrl, { connections: databaseConnections, logger, metrics })
  const ping = openPing(databaseUrl, { logger })
  const bus = openBus(natsUrl, { name: `${name} ${instance}`, logger })
  const migrations = await readMigrations()

  const requireSchema = async () => {
    const fault = await findSchemaFault(database.platform, migrations)
    if (fault !== undefined) throw new Error(fault)
  }
  const dependencies: readonly Dependency[] = [
    { name: 'postgresql', isRequired: true, ping: ping.ping },
    { name: 'schema', isRequired: true, ping: requireSchema },
    { name: 'nats', isRequired: false, ping: bus.ping },
  ]
  return {
    logger,
    metrics,
    clock: steered?.clock ?? realClock,
    database,
    bus,
    dependencies,
    requireSchema,
    async close() {
      await bus.close()
      await Promise.all([database.close(), ping.close()])
      steered?.close()
      processMetrics.close()
      // A parent's channel would keep the process alive.
      if (process.connected) process.disconnect()
    },
  }
}
