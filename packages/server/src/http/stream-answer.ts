import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'

export interface StreamStart {
  /** Its head has been sent. */
  readonly response: ServerResponse
  /** Whether the credential of the request is still valid. */
  readonly isAllowed: () => boolean
}

export interface StreamOptions {
  readonly headers?: Readonly<Record<string, string>>
  /** Sent after the body, where the HTTP version supports it. */
  readonly trailer?: string
  /** Called instead of `start` where the body is not read. */
  readonly abandon?: () => void
}

/** The result of a handler whose answer is written over time. `start` returns a function that ends it. */
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
  // The connection closes with the stream, so that a process that stops does not wait for it.
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

/** Node sends trailers only with chunked encoding. */
const hasTrailers = ({ method, raw }: FastifyRequest): boolean =>
  method !== 'HEAD' && raw.httpVersion !== '1.0'

const trailerOf = ({ trailer }: StreamOptions) => (trailer === undefined ? {} : { trailer })
