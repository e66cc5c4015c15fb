import type { FastifyInstance } from 'fastify'
import { buildApi } from '../../packages/server/src/http/build-api.ts'
import { createVerifiedCredentials } from '../../packages/server/src/modules/auth/index.ts'
import { catalogRoutes } from '../../packages/server/src/modules/catalog/routes.ts'
import { createPageCursors } from '../../packages/server/src/platform/crypto/page-cursor.ts'
import type { Database } from '../../packages/server/src/platform/database/database.ts'
import type { Logger } from '../../packages/server/src/platform/log/logger.ts'
import { createMetrics, type Metrics } from '../../packages/server/src/platform/metrics/metrics.ts'
import { apiOptions } from '../engine/api-options.ts'
import { benchKey } from '../session/sessions.ts'
import { MEDIA_ADDRESS } from './load/plain-table.ts'

/** Shared by server and load, so that the load can start a page anywhere. */
export const pageCursors = createPageCursors(() => [Buffer.alloc(32, 'bench')])

/** The complete HTTP stack with the catalog behind it. Credentials are checked as usual. */
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
    handlers: catalogRoutes({
      database,
      pageCursors,
      mediaBase: MEDIA_ADDRESS,
      isReferenced: async () => false,
    }),
  })
  return server
}
