import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'

export interface StreamStart {
  /** Its head is sent. */
  readonly response: ServerResponse
  /** Whether the credential of the request would still be let in. */
  readonly isAllowed: () => boolean
}

export interface StreamOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** What follows the body, where the client's version of HTTP has a place for it. */
  readonly trailer?: string
  /** Called in place of `start` where nobody reads the body. */
  readonly abandon?: () => void
}

/** What a handler gives whose answer is written over time. `start` returns how to end it. */
export class StreamAnswer {
  readonly contentType: string
  readonly start: (stream: StreamStart) => () => void
  readonly options: StreamOptions

  constructor(contentType: string, start: (stream: StreamStart) => () => void, options: StreamOptions = {}) {
    this.contentType = contentType
    this.start = start
    this.options = options
  }
}

export function openStream(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: StreamAnswer,
  isAllowed: () => boolean,
): void {
  reply.hijack()
  const response = reply.raw
  // The connection ends with the stream, so that a process that stops waits for none of them.
  response.writeHead(200, {
    ...(reply.getHeaders() as OutgoingHttpHeaders),
    'content-type': answer.contentType,
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    connection: 'close',
    ...answer.options.headers,
    ...(hasTrailers(request) ? trailerOf(answer.options) : {}),
  })
  if (request.method === 'HEAD' || response.destroyed) {
    answer.options.abandon?.()
    response.end()
    return
  }
  response.flushHeaders()
  const end = answer.start({ response, isAllowed })
  request.server.openStreams.add(request, end)
}

/** Node announces none where the body is not sent in chunks. */
const hasTrailers = ({ method, raw }: FastifyRequest): boolean =>
  method !== 'HEAD' && raw.httpVersion !== '1.0'

const trailerOf = ({ trailer }: StreamOptions) => (trailer === undefined ? {} : { trailer })
