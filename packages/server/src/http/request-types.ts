import type { Deadline } from './deadline.ts'
import type { OpenStreams } from './open-streams.ts'
import type { Principal } from './principal.ts'
import type { RouteWatch } from './request-log.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Written by the door of an operation, before its body is read. */
    principal: Principal | undefined
    /** Written there too: the one reading of the clock for this request. */
    nowMs: number
    /** Of its handler, where that takes time; written by `bind`. */
    deadline: Deadline | undefined
    /** Written by the route; a request that is refused before it is routed has none. */
    watch: RouteWatch | undefined
  }
  interface FastifyInstance {
    readonly openStreams: OpenStreams
  }
  interface FastifyContextConfig {
    /** Written when the route is added. */
    watch?: RouteWatch
  }
}
