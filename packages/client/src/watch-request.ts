import type { AnswerOf, BodyOf, Operations } from '@continuity/contract'
import type { Client } from './method-types.ts'
import { ProblemError } from './problem-error.ts'
import { isPassing, jitterMs } from './retry.ts'
import { type Sleep, sleep } from './waiting.ts'

/** A program with its schedule, as it is handed over. */
export type ProgramDraft = BodyOf<Operations['scheduleProgram']>
export type RequestStatus = AnswerOf<Operations['getScheduleRequest']>
export type RequestItem = RequestStatus['items'][number]

/** How a request can end for who waits for its videos. */
export type RequestEnd = 'scheduled' | 'ready' | 'failed' | 'replaced'

export interface WatchOptions {
  readonly signal?: AbortSignal | undefined
  /** Told each time that there was no answer and it is asked again. */
  readonly onInterruption?: ((cause: unknown) => void) | undefined
  /** Time and chance are arguments, so that a test needs to wait for neither. */
  readonly sleep?: Sleep | undefined
  readonly random?: (() => number) | undefined
}

/** A person follows what moves; what stands still is not asked about every second for hours. */
const EVERY_MS = 1_000
const SLOWEST_MS = 5_000
const SLOWER = 1.5

/** A service that is away is asked less and less, but often enough to be noticed when it is back. */
const AWAY = { baseMs: EVERY_MS, capMs: 10_000 } as const

/**
 * What becomes of a request: its status at once and after every change, up to
 * the one that ends it.
 *
 * A service that is away or busy is asked again for as long as it takes. The
 * first status after that comes also where it is unchanged, so that the
 * watcher knows that it is back.
 */
export async function* watchRequest(
  client: Pick<Client, 'getScheduleRequest'>,
  requestId: string,
  options: WatchOptions = {},
): AsyncGenerator<RequestStatus, void, undefined> {
  const { signal, sleep: wait = sleep } = options
  let told = '' // the last status that was yielded, as text
  let waitMs = EVERY_MS
  for (;;) {
    const { status, failures } = await askUntilAnswered(client, requestId, options)
    const text = JSON.stringify(status)
    const isNews = text !== told || failures > 0
    told = text
    if (isNews) yield status
    if (endOfRequest(status) !== undefined) return
    waitMs = isNews ? EVERY_MS : Math.min(SLOWEST_MS, waitMs * SLOWER)
    await wait(waitMs, signal)
  }
}

/**
 * How a request ended, or undefined while there is something to wait for.
 *
 * Its videos are what is waited for: once all are READY, what is left is its
 * place on the channel. Where one failed and none moves any more, that place
 * is left to time fill at best, so it counts as failed unless the service
 * says that it is scheduled.
 */
export function endOfRequest({
  state,
  items,
}: Pick<RequestStatus, 'state' | 'items'>): RequestEnd | undefined {
  if (state === 'SCHEDULED') return 'scheduled'
  if (state === 'REPLACED') return 'replaced'
  if (state === 'FAILED') return 'failed'
  if (items.some(({ state: item }) => unfinished.has(item))) return undefined
  return items.every(({ state: item }) => item === 'READY') ? 'ready' : 'failed'
}

const unfinished: ReadonlySet<RequestItem['state']> = new Set(['QUEUED', 'FETCHING', 'PACKAGING'])

/** Each try is a call of its own, so that the watcher is told of every one that fails. */
async function askUntilAnswered(
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
      if (!isPassing(error)) throw error
      failures += 1
      onInterruption?.(error)
      const askedMs = error instanceof ProblemError ? (error.retryAfterMs ?? 0) : 0
      await wait(Math.max(EVERY_MS, askedMs) + jitterMs({ retry: AWAY, random }, failures), signal)
    }
  }
}
