import { type Endpoint, operationList } from '@continuity/contract'
import type { FastifyInstance } from 'fastify'
import { bind, type Handler, type Handlers } from '../http/bind.ts'
import { createServer, type ServerOptions } from '../http/create-server.ts'
import { closeConnectionsWhen } from '../http/drain.ts'
import { type Dependency, type Health, healthAddresses, serveHealth } from '../http/health.ts'
import { rejectOtherMethods } from '../http/methods.ts'
import type { VerifyCredential } from '../http/principal.ts'
import { serveReference } from '../http/reference.ts'
import type { Clock } from '../platform/clock/clock.ts'
import { errorTable } from './error-table.ts'

export interface ApiOptions extends ServerOptions {
  readonly clock: Clock
  /** Throws while the process may not write. */
  readonly requireRightClock?: () => void
  readonly verifyCredential: VerifyCredential
  readonly dependencies: readonly Dependency[]
  readonly checkAnswers: boolean
  readonly deadlineMs: number
  readonly handlers: Handlers
}

/** The API server: every operation of the contract, the reference and the probes. */
export function buildApi(options: ApiOptions): { server: FastifyInstance; health: Health } {
  const server = createServer(options)
  const health = serveHealth(server, options.dependencies, options.metrics)
  closeConnectionsWhen(server, health.isDraining)
  const handlers = options.handlers as Readonly<Record<string, Handler<Endpoint> | undefined>>
  for (const e of operationList) {
    bind(server, e, handlers[e.id], options)
  }
  const referenceAddresses = serveReference(server, errorTable)
  rejectOtherMethods(server, operationList, [...healthAddresses, ...referenceAddresses])
  return { server, health }
}
