import { type Endpoint, operationList } from '@continuity/contract'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../platform/clock/clock.ts'
import type { DocumentedError } from '../platform/errors.ts'
import { bind, type Handler, type Handlers } from './bind.ts'
import { type ConsoleOptions, serveConsole } from './console.ts'
import { createServer, type ServerOptions } from './create-server.ts'
import { closeConnectionsWhen } from './drain.ts'
import { type Dependency, type Health, healthAddresses, serveHealth } from './health.ts'
import { rejectOtherMethods } from './methods.ts'
import type { VerifyCredential } from './principal.ts'
import { serveReference } from './reference.ts'

export interface ApiOptions extends ServerOptions {
  readonly clock: Clock
  /** Throws while the process may not write. */
  readonly requireRightClock?: () => void
  readonly verifyCredential: VerifyCredential
  readonly dependencies: readonly Dependency[]
  readonly checkAnswers: boolean
  readonly deadlineMs: number
  readonly handlers: Handlers
  /** Errors that the reference lists. */
  readonly errors?: readonly DocumentedError[]
  readonly console?: ConsoleOptions
}

/** The API server: every operation of the contract, the reference, the console and the probes. */
export function buildApi(options: ApiOptions): { server: FastifyInstance; health: Health } {
  const server = createServer(options)
  const health = serveHealth(server, options.dependencies, options.metrics)
  closeConnectionsWhen(server, health.isDraining)
  const handlers = options.handlers as Readonly<Record<string, Handler<Endpoint> | undefined>>
  for (const e of operationList) {
    bind(server, e, handlers[e.id], options)
  }
  const referenceAddresses = serveReference(server, options.errors ?? [])
  const consoleAddresses = options.console === undefined ? [] : serveConsole(server, options.console)
  rejectOtherMethods(server, operationList, [...healthAddresses, ...referenceAddresses, ...consoleAddresses])
  return { server, health }
}
