import type { Problem } from '@continuity/contract'
import { rememberEtag } from './etag.ts'
import { ProblemError } from './problem-error.ts'

/** How the answer of a call becomes its value. */
export type Read<T> = (response: Response) => Promise<T>

/** The value of an answer in JSON; undefined where it has no body. */
export const readJson: Read<unknown> = async (response) => {
  const text = await response.text()
  if (text === '') return undefined
  const parsed = parseJson(text)
  if (parsed === undefined) throw new ProblemError(foreignProblem(response))
  rememberEtag(parsed.value, response.headers.get('etag'))
  return parsed.value
}

/**
 * An answer that the client itself goes on with, looked at before it does.
 *
 * All others are handed over unread: the service is tested against the same
 * contract, and an app must not stop because a field was added.
 */
export function readAs<T>(isRight: (value: unknown) => value is T): Read<T> {
  return async (response) => {
    const value = await readJson(response)
    if (!isRight(value)) throw new ProblemError(foreignProblem(response))
    return value
  }
}

/** The stream of events itself, which is read as it comes. */
export const readStream: Read<Response> = async (response) => {
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  if (isStream || response.status === 204) return response
  await response.body?.cancel()
  throw new ProblemError(foreignProblem(response))
}

/** The body itself, which is read as it comes. */
export const readBody: Read<ReadableStream<Uint8Array>> = async (response) => {
  if (response.body === null) throw new ProblemError(foreignProblem(response))
  return response.body
}

export async function readProblem(response: Response, nowMs: number): Promise<ProblemError> {
  const told = parseJson(await response.text())?.value
  const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'), nowMs)
  const foreign = foreignProblem(response)
  if (!isProblemBody(told)) return new ProblemError(foreign, retryAfterMs)
  // The status line wins: it is what proxies and logs have seen.
  return new ProblemError({ ...foreign, ...told, status: response.status }, retryAfterMs)
}

/** RFC 9110 §10.2.3: whole seconds, or a date. Anything else is as if it were not there. */
function parseRetryAfter(value: string | null, nowMs: number): number | undefined {
  if (value === null) return undefined
  if (/^\d+$/.test(value)) return Number(value) * 1_000
  const atMs = Date.parse(value)
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs)
}

function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    // Not JSON; the caller says so with the status, which means more than a position in the text.
    return undefined
  }
}

function isProblemBody(value: unknown): value is Partial<Problem> & Pick<Problem, 'code' | 'detail'> {
  if (typeof value !== 'object' || value === null) return false
  if (!('code' in value) || !('detail' in value)) return false
  return typeof value.code === 'string' && typeof value.detail === 'string'
}

/** The problem of an answer that is not in the interface's form. */
function foreignProblem(response: Response): Problem {
  const { status } = response
  const detail = `The answer with status ${status} is not one of the service; something in between may have made it.`
  return {
    type: 'about:blank',
    title: response.statusText || `HTTP ${status}`,
    status,
    detail,
    message: detail,
    code: `http.${status}`,
    instance: URL.canParse(response.url) ? new URL(response.url).pathname : '',
    request_id: response.headers.get('x-request-id') ?? '',
  }
}
