import type { Problem } from '@continuity/contract'
import { storeEtag } from './etag.ts'
import { ProblemError } from './problem-error.ts'

/** Turns a response into the result of a call. */
export type Read<T> = (response: Response) => Promise<T>

/** The parsed JSON of an answer; undefined if it has no body. */
export const readJson: Read<unknown> = async (response) => {
  const text = await response.text()
  if (text === '') return undefined
  const parsed = parseJson(text)
  if (parsed === undefined) throw new ProblemError(foreignProblem(response))
  storeEtag(parsed.value, response.headers.get('etag'))
  return parsed.value
}

/**
 * Reads an answer that the client itself uses, and validates it first.
 *
 * All others are returned unvalidated: the service is tested against the same
 * contract, and an app must not fail because a field was added.
 */
export function readAs<T>(isValid: (value: unknown) => value is T): Read<T> {
  return async (response) => {
    const value = await readJson(response)
    if (!isValid(value)) throw new ProblemError(foreignProblem(response))
    return value
  }
}

/** The response of an event stream, which is read as it arrives. */
export const readStream: Read<Response> = async (response) => {
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true
  if (isStream || response.status === 204) return response
  await response.body?.cancel()
  throw new ProblemError(foreignProblem(response))
}

/** The body as a stream. */
export const readBody: Read<ReadableStream<Uint8Array>> = async (response) => {
  if (response.body === null) throw new ProblemError(foreignProblem(response))
  return response.body
}

export async function readProblem(response: Response, nowMs: number): Promise<ProblemError> {
  const body = parseJson(await response.text())?.value
  const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'), nowMs)
  const foreign = foreignProblem(response)
  if (!isProblemBody(body)) return new ProblemError(foreign, retryAfterMs)
  // The HTTP status takes precedence: proxies and logs have that one.
  return new ProblemError({ ...foreign, ...body, status: response.status }, retryAfterMs)
}

/** RFC 9110 §10.2.3: whole seconds, or a date. Anything else is ignored. */
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
    // Not JSON; the caller throws with the HTTP status, which helps more than a parse position.
    return undefined
  }
}

function isProblemBody(value: unknown): value is Partial<Problem> & Pick<Problem, 'code' | 'detail'> {
  if (typeof value !== 'object' || value === null) return false
  if (!('code' in value) || !('detail' in value)) return false
  return typeof value.code === 'string' && typeof value.detail === 'string'
}

/** The problem for an answer that is not in the format of the API. */
function foreignProblem(response: Response): Problem {
  const { status } = response
  const detail = `The answer with status ${status} is not in the format of the service; it may come from a proxy.`
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
