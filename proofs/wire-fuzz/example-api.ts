import { type OperationId, operationList, operations } from '@continuity/contract'
import fc from 'fast-check'
import type { Handlers } from '../../packages/server/src/http/bind.ts'
import { buildApi } from '../../packages/server/src/http/build-api.ts'
import { createLogger } from '../../packages/server/src/platform/log/logger.ts'
import { createMetrics } from '../../packages/server/src/platform/metrics/metrics.ts'
import type { FuzzTarget } from './fuzz.ts'

export const exampleCredential = { 'x-service-auth': 'good', 'x-service-device': 'tv' } as const

/** No example depends on a record, so that no valid request may be rejected. */
export const exampleTarget = (baseUrl: string): FuzzTarget => ({
  baseUrl,
  senders: fc.constant(exampleCredential),
  known: undefined,
  rejections: 'none',
})

/**
 * The real HTTP layer with every operation answered by its example.
 *
 * No record can be missing here, so every valid request must succeed, also where
 * the operation is not implemented.
 */
export async function startExampleApi(overrides: Handlers = {}) {
  const examples = Object.fromEntries(
    operationList.map(({ id }) => [id, () => operations[id as OperationId].example['answer' as never]]),
  )
  const { server } = buildApi({
    logger: createLogger({ level: 'silent', base: {}, write: () => {} }),
    metrics: createMetrics(),
    clock: Date.now,
    verifyCredential: (credential) =>
      credential === exampleCredential['x-service-auth']
        ? { kind: 'valid', principal: examplePrincipal }
        : { kind: 'rejected', reason: 'invalid' },
    dependencies: [],
    corsOrigins: ['*'],
    trustedProxies: [],
    limits: { requestsInFlight: 1_000, eventLoopDelayMs: 60_000 },
    deadlineMs: 10_000,
    checkAnswers: false,
    handlers: { ...examples, ...overrides },
  })
  const baseUrl = await server.listen({ host: '127.0.0.1', port: 0 })
  return { baseUrl, close: () => server.close() }
}

const examplePrincipal = {
  accountId: 'account',
  subjectId: 'user',
  deviceId: exampleCredential['x-service-device'],
  sessionId: 'session',
  roles: ['ROLE_USER', 'ROLE_ADMIN', 'ROLE_OPERATOR', 'SCHEDULE'],
}
