import type { AccountRequest } from './requests.ts'

/** The result of a request. Times are of the monotonic clock. */
export interface Outcome {
  readonly request: AccountRequest
  readonly sentMs: number
  readonly endedMs: number
  /** Undefined where there was no complete answer. */
  readonly status: number | undefined
  readonly retryAfter: string | null
  readonly text: string
}

/** Longer than every deadline: a request without an answer by then hangs. */
const HANGS_MS = 15_000

/** Sends once. */
export async function send(
  baseUrl: string,
  headers: Readonly<Record<string, string>>,
  request: AccountRequest,
): Promise<Outcome> {
  const { e, path, key, body } = request
  const sentMs = performance.now()
  try {
    const answer = await fetch(`${baseUrl}${path}`, {
      method: e.method,
      headers: {
        ...headers,
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(HANGS_MS),
    })
    const text = await answer.text()
    const { status } = answer
    return {
      request,
      sentMs,
      endedMs: performance.now(),
      status,
      retryAfter: answer.headers.get('retry-after'),
      text,
    }
  } catch (error) {
    return {
      request,
      sentMs,
      endedMs: performance.now(),
      status: undefined,
      retryAfter: null,
      text: String(error),
    }
  }
}

/** It got the expected status. */
export const isDone = ({ request, status }: Outcome): boolean => status === request.expected

/** It was answered with 503 and Retry-After. */
export const isPutOff = ({ status, retryAfter }: Outcome): boolean => status === 503 && retryAfter !== null

/** The answer contains the name of its own account, unless it is empty or an error, and never that of the other. */
export function isOwn({ request, status, text }: Outcome, words: readonly string[]): boolean {
  const others = words.filter((word) => word !== request.word)
  if (others.some((word) => text.includes(word))) return false
  const isEmptyList = text === '[]' || text.includes('"hits":[]')
  return status === undefined || status >= 400 || isEmptyList || text.includes(request.word)
}
