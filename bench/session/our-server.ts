import { endpoint, operations } from '@continuity/contract'
import { buildApi } from '../../packages/server/src/app/build-api.ts'
import { bind } from '../../packages/server/src/http/bind.ts'
import { createVerifiedCredentials } from '../../packages/server/src/modules/auth/index.ts'
import { createLog } from '../../packages/server/src/platform/logger.ts'
import { createMetrics } from '../../packages/server/src/platform/metrics.ts'
import { answer } from '../http/answer.ts'
import { benchKey } from './sessions.ts'

/** The whole wire, with one operation more that needs a credential with a role and asks no database. */
const { logger } = createLog({ level: 'info', process: 'bench', instance: 'bench' })
const keys = new Map([[benchKey.kid, benchKey]])
const endedSessions = new Set<string>(['ended'])
const { verify } = createVerifiedCredentials({
  keys: () => keys,
  isEnded: ({ sessionId }) => endedSessions.has(sessionId),
  capacity: 50_000,
})
const options = {
  logger,
  metrics: createMetrics(),
  clock: Date.now,
  verifyCredential: verify,
  dependencies: [],
  corsOrigins: ['*'],
  trustedProxies: [],
  limits: { requestsInFlight: 1_000, eventLoopDelayMs: 500 },
  deadlineMs: 10_000,
  checkAnswers: false,
  handlers: {},
}
const { server } = buildApi(options)
const { params: _, ...getVideo } = operations.getVideo
const { access } = operations.listLiveSources
const benched = endpoint({ ...getVideo, id: 'bench', path: '/bench', access })
bind(server, benched, async () => answer as never, options)
process.send?.({ url: await server.listen({ host: '127.0.0.1', port: 0 }) })
