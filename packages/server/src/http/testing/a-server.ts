import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import type { AnswerOf, Endpoint } from '@continuity/contract'
import type { FastifyInstance } from 'fastify'
import { createMetrics, type Metrics } from '../../platform/metrics/metrics.ts'
import { type BindOptions, bind, type Call, type Handler } from '../bind.ts'
import { createServer, type ServerOptions } from '../create-server.ts'
import { aCapturedLog, type CapturedLog } from './captured-log.ts'
import { NOW_MS, verifyCredential } from './credentials.ts'

export interface TestServer {
  readonly server: FastifyInstance
  readonly log: CapturedLog
  readonly metrics: Metrics
}

/** Limits that no test reaches accidentally: this machine may be slow. */
export const wideLimits = { requestsInFlight: 1_000, eventLoopDelayMs: 60_000 }

export function serverOptions(log: CapturedLog, over: Partial<ServerOptions> = {}): ServerOptions {
  return {
    logger: log.logger,
    metrics: createMetrics(),
    corsOrigins: ['*'],
    trustedProxies: [],
    limits: wideLimits,
    ...over,
  }
}

/** A server that ends with its test. */
export function aServer(t: TestContext, over: Partial<ServerOptions> = {}): TestServer {
  const log = aCapturedLog()
  const options = serverOptions(log, over)
  const server = createServer(options)
  closeAfter(t, server)
  return { server, log, metrics: options.metrics }
}

/** Closes open connections, which would delay the end of a test for as long as a client keeps them. */
export function closeAfter(t: TestContext, server: FastifyInstance): void {
  t.after(async () => {
    server.server.closeAllConnections()
    await server.close()
  })
}

export async function listen(server: FastifyInstance): Promise<number> {
  await server.listen({ host: '127.0.0.1', port: 0 })
  return (server.server.address() as AddressInfo).port
}

export const bindOptions: BindOptions = {
  clock: () => NOW_MS,
  verifyCredential,
  checkAnswers: true,
  deadlineMs: 60_000,
}

export function put<E extends Endpoint>(
  server: FastifyInstance,
  e: E,
  handler: Handler<E>,
  over: Partial<BindOptions> = {},
): void {
  bind(server, e, handler, { ...bindOptions, ...over })
}

const plain = {
  id: 'tryIt',
  version: '2.3',
  method: 'GET',
  path: '/try',
  group: 'Operations',
  summary: 'Try it',
  access: 'public',
  answer: { status: 200, description: 'Done.' },
  example: {},
} as const satisfies Endpoint

/** A public operation without input and output, unless overridden. */
export function anEndpoint<const Over extends Partial<Endpoint>>(
  over: Over,
): Omit<typeof plain, keyof Over> & Over {
  return { ...plain, ...over }
}

/** A handler that records its calls and answers with the example of the operation. */
export function aRecorder<E extends Endpoint>(e: E): { calls: Call<E>[]; handler: Handler<E> } {
  const calls: Call<E>[] = []
  return {
    calls,
    handler: (call) => {
      calls.push(call)
      return e.example.answer as AnswerOf<E>
    },
  }
}
