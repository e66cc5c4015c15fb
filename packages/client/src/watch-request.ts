import type { AnswerOf, BodyOf, Operations } from '@continuity/contract'
import type { Client } from './method-types.ts'
import { ProblemError } from './problem-error.ts'
import { isTransient, jitterMs } from './retry.ts'
import { type Sleep, sleep } from './waiting.ts'

/** A program with its schedule, as it is submitted. */
export type ProgramDraft = BodyOf<Operations['scheduleProgram']>
export type RequestStatus = AnswerOf<Operations['getScheduleRequest']>
export type RequestItem = RequestStatus['items'][number]

/** How a request can end. */
export type RequestEnd = 'scheduled' | 'failed' | 'replaced' | 'cancelled'

export interface WatchOptions {
  readonly signal?: AbortSignal | undefined
  /** Called each time a poll fails and is about to be repeated. */
  readonly onInterruption?: ((cause: unknown) => void) | undefined
  /** Time and randomness are options, for tests. */
  readonly sleep?: Sleep | undefined
  readonly random?: (() => number) | undefined
}

/** Polls every second while the status changes, and less often while it does not. */
const EVERY_MS = 1_000
const SLOWEST_MS = 5_000
const SLOWER = 1.5

/** Backoff while the service is unavailable. */
const AWAY = { baseMs: EVERY_MS, capMs: 10_000 } as const

/**
 * Yields the status of a request at once and after every change, up to the one
 * that ends it.
 *
 * While the service is unavailable or busy, it retries without a limit. The first
 * status after that is yielded even if it is unchanged, so that the caller knows
 * that the service is back.
 */
export async function* watchRequest(
  client: Pick<Client, 'getScheduleRequest'>,
  requestId: string,
  options: WatchOptions = {},
): AsyncGenerator<RequestStatus, void, undefined> {
  const { signal, sleep: wait = sleep } = options
  let lastText = '' // the last status that was yielded, as text
  let waitMs = EVERY_MS
  for (;;) {
    const { status, failures } = await pollUntilAnswered(client, requestId, options)
    const text = JSON.stringify(status)
    const isNews = text !== lastText || failures > 0
    lastText = text
    if (isNews) yield status
    if (endOfRequest(status) !== undefined) return
    waitMs = isNews ? EVERY_MS : Math.min(SLOWEST_MS, waitMs * SLOWER)
    await wait(waitMs, signal)
  }
}

/**
 * How a request ended, or undefined while it is in progress.
 *
 * Only its state ends it: once no video is in progress any more, the service
 * still schedules the program, or decides that it cannot be one.
 */
export function endOfRequest({ state }: Pick<RequestStatus, 'state'>): RequestEnd | undefined {
  return ends[state]
}

const ends: Readonly<Record<RequestStatus['state'], RequestEnd | undefined>> = {
  QUEUED: undefined,
  PROCESSING: undefined,
  SCHEDULED: 'scheduled',
  FAILED: 'failed',
  REPLACED: 'replaced',
  CANCELLED: 'cancelled',
}

/** Without the retries of the client, so that the caller gets every failure. */
async function pollUntilAnswered(
  client: Pick<Client, 'getScheduleRequest'>,
  requestId: string,
  { signal, onInterruption, sleep: wait = sleep, random = Math.random }: WatchOptions,
): Promise<{ readonly status: RequestStatus; readonly failures: number }> {
  for (let failures = 0; ; ) {
    try {
      const params = { request_id: requestId }
      return { status: await client.getScheduleRequest({ params }, { signal, tries: 1 }), failures }
    } catch (error) {
      signal?.throwIfAborted()
      if (!isTransient(error)) throw error
      failures += 1
      onInterruption?.(error)
      const retryAfterMs = error instanceof ProblemError ? (error.retryAfterMs ?? 0) : 0
      await wait(Math.max(EVERY_MS, retryAfterMs) + jitterMs({ retry: AWAY, random }, failures), signal)
    }
  }
}
