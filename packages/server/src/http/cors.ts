import type { FastifyReply, FastifyRequest } from 'fastify'

const ALLOWED_METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'
const ALLOWED_HEADERS =
  'Content-Type, X-Service-Auth, X-Service-Device, X-Service-DeviceId, Idempotency-Key, If-Match, If-None-Match, If-Range, Range, Last-Event-ID, X-Request-Id, traceparent'
const EXPOSED_HEADERS = 'ETag, Retry-After, X-Request-Id'
const PREFLIGHT_SECONDS = '7200'

/** Sets the headers of an answer; true when the request was a preflight and has been answered. */
export type AllowOrigin = (request: FastifyRequest, reply: FastifyReply) => boolean

/**
 * Allows pages of other origins to call the API.
 *
 * Credentials are sent in headers that a page sets itself, never in cookies, so any origin may be allowed; an operator
 * can restrict them.
 */
export function allowOrigins(origins: readonly string[]): AllowOrigin {
  const isOpen = origins.includes('*')
  const allowed = new Set(origins)

  return (request, reply) => {
    const origin = request.headers.origin
    if (!isOpen) reply.header('vary', 'Origin')
    if (origin === undefined || !(isOpen || allowed.has(origin))) return false
    reply.header('access-control-allow-origin', isOpen ? '*' : origin)
    reply.header('access-control-expose-headers', EXPOSED_HEADERS)
    const isPreflight =
      request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined
    if (!isPreflight) return false
    reply.header('access-control-allow-methods', ALLOWED_METHODS)
    reply.header('access-control-allow-headers', ALLOWED_HEADERS)
    reply.header('access-control-max-age', PREFLIGHT_SECONDS)
    reply.code(204).send()
    return true
  }
}
