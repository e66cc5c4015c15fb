import { setInterval } from 'node:timers'
import { noLive } from '@continuity/core/timeline/discontinuity'
import { buildApi } from '../../packages/server/src/http/build-api.ts'
import { createVerifiedCredentials } from '../../packages/server/src/modules/auth/index.ts'
import { reportRoutes } from '../../packages/server/src/modules/reports/routes.ts'
import { openDatabase } from '../../packages/server/src/platform/database/database.ts'
import { createLog } from '../../packages/server/src/platform/log/logger.ts'
import { createMetrics } from '../../packages/server/src/platform/metrics/metrics.ts'
import { apiOptions } from '../engine/api-options.ts'
import { benchKey } from '../session/sessions.ts'

// A process of its own with the reports, whose memory is measured while they are read.
const [url = ''] = process.argv.slice(2)
const { logger } = createLog({ level: 'silent', process: 'bench', instance: 'bench' })
const database = openDatabase(url, { connections: 2, logger, patience: 8 })
const keys = new Map([[benchKey.kid, benchKey]])
const { server } = buildApi({
  ...apiOptions,
  logger,
  metrics: createMetrics(),
  verifyCredential: createVerifiedCredentials({ keys: () => keys, isEnded: () => false, capacity: 10 })
    .verify,
  handlers: reportRoutes({ database, logger, clock: Date.now, loadLiveView: async () => noLive }),
})
let highest = 0
setInterval(() => {
  highest = Math.max(highest, process.memoryUsage.rss())
}, 50)
process.on('message', () => {
  process.send?.({ highest })
  highest = process.memoryUsage.rss()
})
process.on('disconnect', () => process.exit())
process.send?.({ origin: await server.listen({ host: '127.0.0.1', port: 0 }) })
