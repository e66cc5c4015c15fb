import type { FastifyInstance } from 'fastify'

const ALLOWED_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'
const ALLOWED_HEADERS =
  'Content-Type, X-Service-Auth, X-Service-Device, X-Service-DeviceId, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, X-Request-Id, traceparent'
const EXPOSED_HEADERS = 'ETag, Retry-After, X-Request-Id'
const PREFLIGHT_SECONDS = '7200'

/**
 * Lets pages of other origins call the API.
 *
 * Credentials travel in headers that a page sets itself, never in cookies, so
 * any origin may be let in; an operator can name the ones that are.
 */
export function allowOrigins(server: FastifyInstance, origins: readonly string[]): void {
  const isOpen = origins.includes('*')
  const allowed = new Set(origins)

  server.addHook('onRequest', (request, reply, done) => {
    const origin = request.headers.origin
    if (!isOpen) reply.header('vary', 'Origin')
    if (origin !== undefined && (isOpen || allowed.has(origin))) {
      reply.header('access-control-allow-origin', isOpen ? '*' : origin)
      reply.header('access-control-expose-headers', EXPOSED_HEADERS)
      if (request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined) {
        reply.header('access-control-allow-methods', ALLOWED_METHODS)
        reply.header('access-control-allow-headers', ALLOWED_HEADERS)
        reply.header('access-control-max-age', PREFLIGHT_SECONDS)
        reply.code(204).send()
        return
      }
    }
    done()
  })
}
