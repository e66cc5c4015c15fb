import { addressesOf, type Endpoint } from '@continuity/contract'
import type { FastifyInstance } from 'fastify'
import { MethodNotAllowed } from './errors.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** Answers 405 with `Allow` for the methods that an address does not allow, and lists the allowed ones on OPTIONS. */
export function rejectOtherMethods(
  server: FastifyInstance,
  endpoints: readonly Endpoint[],
  serviceAddresses: readonly string[] = [],
): void {
  const allowedByRoute = new Map<string, Set<string>>()
  for (const e of endpoints) {
    for (const address of addressesOf(e)) {
      // The router treats addresses that differ only in parameter names as one.
      const route = address.replaceAll(/\{\w+\}/g, ':id')
      allowedByRoute.set(route, (allowedByRoute.get(route) ?? new Set<string>()).add(e.method))
    }
  }
  for (const address of serviceAddresses) allowedByRoute.set(address, new Set(['GET']))
  for (const [url, methods] of allowedByRoute) {
    const allowed = [...methods, ...(methods.has('GET') ? ['HEAD'] : []), 'OPTIONS']
    server.route({
      method: METHODS.filter((method) => !methods.has(method)),
      url,
      handler: (request, reply) => {
        reply.header('allow', allowed.join(', '))
        if (request.method === 'OPTIONS') return reply.code(204).send()
        throw MethodNotAllowed(request.method, allowed)
      },
    })
  }
}
