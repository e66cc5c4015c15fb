import { type Access, endpoint, operations } from '@continuity/contract'
import { bind } from '../../packages/server/src/http/bind.ts'
import { buildApi } from '../../packages/server/src/http/build-api.ts'
import type { VerifyCredential } from '../../packages/server/src/http/principal.ts'
import { createLog } from '../../packages/server/src/platform/log/logger.ts'
import { createMetrics } from '../../packages/server/src/platform/metrics/metrics.ts'
import { answer } from '../http/answer.ts'
import { apiOptions } from './api-options.ts'

/** Serves the complete HTTP stack, with one more operation that does not query a database. */
export async function serveBenched(access: Access, verifyCredential: VerifyCredential): Promise<void> {
  const { logger } = createLog({ level: 'info', process: 'bench', instance: 'bench' })
  const options = {
    ...apiOptions,
    logger,
    metrics: createMetrics(),
    verifyCredential,
    handlers: {},
  }
  const { server } = buildApi(options)
  const { params: _, ...getVideo } = operations.getVideo
  const benched = endpoint({ ...getVideo, id: 'bench', path: '/bench', access })
  bind(server, benched, async () => answer as never, options)
  process.send?.({ url: await server.listen({ host: '127.0.0.1', port: 0 }) })
}
