import type { FastifyInstance } from 'fastify'
import { buildApi } from '../../packages/server/src/app/build-api.ts'
import { createVerifiedCredentials } from '../../packages/server/src/modules/auth/index.ts'
import { catalogRoutes } from '../../packages/server/src/modules/catalog/routes.ts'
import type { Database } from '../../packages/server/src/platform/database/database.ts'
import type { Logger } from '../../packages/server/src/platform/logger.ts'
import { createMetrics, type Metrics } from '../../packages/server/src/platform/metrics.ts'
import { createPageMarks } from '../../packages/server/src/platform/page-mark.ts'
import { apiOptions } from '../engine/api-options.ts'
import { benchKey } from '../session/sessions.ts'
import { MEDIA_ADDRESS } from './load/plain-table.ts'

/** Known to server and load, so that the load can begin a page anywhere. */
export const pageMarks = createPageMarks(() => [Buffer.alloc(32, 'bench')])

/** The whole wire, with the catalog behind it. Credentials are checked as always. */
export function buildBenchedCatalog(
  database: Database,
  logger: Logger,
  metrics: Metrics = createMetrics(),
): FastifyInstance {
  const keys = new Map([[benchKey.kid, benchKey]])
  const { server } = buildApi({
    ...apiOptions,
    logger,
    metrics,
    verifyCredential: createVerifiedCredentials({
      keys: () => keys,
      isEnded: () => false,
      capacity: 50_000,
    }).verify,
    handlers: catalogRoutes({ database, pageMarks, mediaBase: MEDIA_ADDRESS, isHeld: async () => false }),
  })
  return server
}
