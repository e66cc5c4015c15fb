import type { FastifyRequest } from 'fastify'

/** Answers that are written over time. They do not count as requests in flight, and have no deadline. */
export interface OpenStreams {
  size(): number
  add(request: FastifyRequest, end: () => void): void
  /** Whether the request was a stream. */
  remove(request: FastifyRequest): boolean
  /** For a server that stops: ends all streams, and later ones at once. Clients open them again elsewhere. */
  endAll(): void
}

export function createOpenStreams(): OpenStreams {
  const open = new Map<FastifyRequest, () => void>()
  let isStopping = false
  return {
    size: () => open.size,
    add(request, end) {
      open.set(request, end)
      if (isStopping) end()
    },
    remove: (request) => open.delete(request),
    endAll() {
      isStopping = true
      for (const end of open.values()) end()
    },
  }
}
