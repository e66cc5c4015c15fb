import type { IncomingMessage, ServerResponse } from 'node:http'
import { PROBLEM_TYPE, toProblem } from '../../http/problem.ts'
import type { AppError } from '../../platform/errors.ts'

/** A complete response, rendered once and sent to every viewer. */
export interface Answer {
  readonly status: number
  /** Alternating names and values, as `writeHead` takes them. */
  readonly headers: readonly string[]
  /** Strings must be ASCII: they are sent with the head in one write, which is faster than a buffer. */
  readonly body: string | Buffer
}

export function anAnswer(contentType: string, cacheControl: string, body: string | Buffer): Answer {
  return { status: 200, headers: headersOf(contentType, cacheControl, body.length), body }
}

/** Clients of any origin may follow it. */
export const aRedirect = (location: string, cacheControl: string): Answer => ({
  status: 302,
  headers: ['location', location, ...headersOf('text/plain', cacheControl, 0)],
  body: '',
})

/** Error responses are the same for all viewers, so that they can be cached: they carry no request id. */
export function anErrorAnswer(error: AppError, path: string, cacheControl: string): Answer {
  const body = Buffer.from(JSON.stringify(toProblem(error, path, 'none')))
  const { kind, retryAfterSeconds } = error
  const retryAfter = retryAfterSeconds === undefined ? [] : ['retry-after', String(retryAfterSeconds)]
  const headers = [...headersOf(PROBLEM_TYPE, cacheControl, body.length), ...retryAfter]
  return { status: kind.status, headers, body }
}

const headersOf = (contentType: string, cacheControl: string, length: number): readonly string[] => [
  'content-type',
  contentType,
  'cache-control',
  cacheControl,
  'access-control-allow-origin',
  '*',
  'x-content-type-options',
  'nosniff',
  'content-length',
  String(length),
]

export function send(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  // `writeHead` does not modify the array, so it is not copied for each viewer.
  response.writeHead(answer.status, answer.headers as string[])
  if (request.method === 'HEAD') response.end()
  else if (typeof answer.body === 'string') response.end(answer.body, 'latin1')
  else response.end(answer.body)
}
