import type { Dependency } from '../http/health.ts'
import { createClockReporter } from '../modules/clocks/index.ts'
import { openBus } from '../platform/bus/bus.ts'
import { createBrokerTime } from '../platform/clock/broker-time.ts'
import { checkClock } from '../platform/clock/clock-check.ts'
import { createReferenceClock } from '../platform/clock/reference-clock.ts'
import { openDatabase } from '../platform/database/database.ts'
import { readMigrations } from '../platform/database/migrations.ts'
import { openPing } from '../platform/database/ping.ts'
import { findSchemaFault } from '../platform/database/schema-check.ts'
import { type BaseOptions, openBase } from './open-base.ts'

export interface ProcessOptions extends BaseOptions {
  readonly name: 'api' | 'worker'
  readonly databaseUrl: string
  readonly databaseConnections: number
  readonly databasePatience: number
  readonly natsUrl: string
  readonly feedReplicas: number
}

export type OpenedProcess = Awaited<ReturnType<typeof openProcess>>

/** What API processes and workers need: log, metrics, clock, database and bus. */
export async function openProcess(options: ProcessOptions) {
  const { name, instance, databaseUrl, databaseConnections, databasePatience, natsUrl } = options
  const base = await openBase(options)
  const { logger, metrics, clock, systemClock } = base
  const database = openDatabase(databaseUrl, {
    connections: databaseConnections,
    logger,
    metrics,
    patience: databasePatience,
  })
  const ping = openPing(databaseUrl, { logger })
  const bus = openBus(natsUrl, { name: `${name} ${instance}`, logger })
  const migrations = await readMigrations()
  const reporter = createClockReporter({ role: name, instance, database, clock, logger })
  const clockCheck = checkClock({
    systemClock,
    database: createReferenceClock(ping.readTime),
    broker: createReferenceClock(createBrokerTime(bus, options.feedReplicas)),
    logger,
    metrics,
    onVerdict: reporter.report,
  })

  const requireSchema = async () => {
    const fault = await findSchemaFault(database.platform, migrations)
    if (fault !== undefined) throw new Error(fault)
  }
  const dependencies: readonly Dependency[] = [
    { name: 'postgresql', isRequired: true, ping: ping.ping },
    { name: 'schema', isRequired: true, ping: requireSchema },
    { name: 'nats', isRequired: false, ping: bus.ping },
    { name: 'clock', isRequired: true, ping: async () => clockCheck.requireRight() },
  ]
  return {
    logger,
    metrics,
    clock,
    database,
    bus,
    clockCheck,
    dependencies,
    requireSchema,
    async close() {
      await clockCheck.close()
      await reporter.settled()
      await bus.close()
      await Promise.all([database.close(), ping.close()])
      base.close()
    },
  }
}
