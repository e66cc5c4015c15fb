import { openDatabase } from '../../packages/server/src/platform/database/database.ts'
import { createLog } from '../../packages/server/src/platform/log/logger.ts'
import { createMetrics } from '../../packages/server/src/platform/metrics/metrics.ts'
import { buildBenchedCatalog } from './benched-catalog.ts'

/** The default number of connections of an API process. */
const CONNECTIONS = 10

const { logger } = createLog({ level: 'info', process: 'bench', instance: 'bench' })
const metrics = createMetrics()
const database = openDatabase(process.env['DATABASE_URL'] ?? '', {
  connections: CONNECTIONS,
  logger,
  metrics,
})
const server = buildBenchedCatalog(database, logger, metrics)
process.send?.({ url: await server.listen({ host: '127.0.0.1', port: 0 }) })
