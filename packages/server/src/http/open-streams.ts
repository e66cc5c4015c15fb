import type { FastifyRequest } from 'fastify'

/** Answers of one server that are written over time. They are no work in hand, and outlive every deadline. */
export interface OpenStreams {
  size(): number
  add(request: FastifyRequest, end: () => void): void
  /** Whether it was one. */
  remove(request: FastifyRequest): boolean
  /** For a server that stops: ends all, and those that come later at once. Clients open them again elsewhere. */
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
