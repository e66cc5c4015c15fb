import { addressesOf, type Endpoint } from '@continuity/contract'
import type { FastifyInstance } from 'fastify'
import { MethodNotAllowed } from './errors.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const

/** Answers 405 with `Allow` at each address for the methods that it does not take, and tells them on OPTIONS. */
export function refuseOtherMethods(
  server: FastifyInstance,
  endpoints: readonly Endpoint[],
  serviceAddresses: readonly string[] = [],
): void {
  const taken = new Map<string, Set<string>>()
  for (const e of endpoints) {
    for (const address of addressesOf(e)) {
      // The router sees one place where two addresses differ in the name of a parameter only.
      const place = address.replaceAll(/\{\w+\}/g, ':id')
      taken.set(place, (taken.get(place) ?? new Set<string>()).add(e.method))
    }
  }
  for (const address of serviceAddresses) taken.set(address, new Set(['GET']))
  for (const [url, methods] of taken) {
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
