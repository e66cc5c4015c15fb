import type { IncomingMessage, ServerResponse } from 'node:http'
import { PROBLEM_TYPE, toProblem } from '../../http/problem.ts'
import type { AppError } from '../../platform/errors.ts'

/** A whole answer, made once and given to whoever asks. */
export interface Answer {
  readonly status: number
  /** Names and values in turn, as they are written. */
  readonly headers: readonly string[]
  /** A text is all ASCII: it is sent with the head in one write, and takes less time than bytes do. */
  readonly body: string | Buffer
}

export function anAnswer(contentType: string, cacheControl: string, body: string | Buffer): Answer {
  return { status: 200, headers: headersOf(contentType, cacheControl, body.length), body }
}

/** What is refused is refused to everybody alike, and so to a cache: without an id of the request. */
export function aRefusal(error: AppError, path: string, cacheControl: string): Answer {
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
  // It is read only; a copy for each viewer would be the only thing that is made for them.
  response.writeHead(answer.status, answer.headers as string[])
  if (request.method === 'HEAD') response.end()
  else if (typeof answer.body === 'string') response.end(answer.body, 'latin1')
  else response.end(answer.body)
}
