import type { Deadline } from './deadline.ts'
import type { OpenStreams } from './open-streams.ts'
import type { Principal } from './principal.ts'
import type { RouteWatch } from './request-log.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before the body is read. */
    principal: Principal | undefined
    /** Set with it: the time of this request. */
    nowMs: number
    /** Of an asynchronous handler; set by `bind`. */
    deadline: Deadline | undefined
    /** Set by the route; a request rejected before routing has none. */
    watch: RouteWatch | undefined
  }
  interface FastifyInstance {
    readonly openStreams: OpenStreams
  }
  interface FastifyContextConfig {
    /** Set when the route is added. */
    watch?: RouteWatch
  }
}
