import { createEventParser, type EventParser, type ServerEvent } from './event-parser.ts'
import { ProblemError } from './problem-error.ts'
import { isTransient, jitterMs } from './retry.ts'
import type { Settings } from './settings.ts'
import { UnreachableError } from './unreachable-error.ts'

export interface EventOptions {
  readonly signal?: AbortSignal | undefined
  /** The longest that opening the stream may take; the stream itself has no end. */
  readonly timeoutMs?: number | undefined
  /** Resume after this event. */
  readonly lastEventId?: string | undefined
  /** Reconnect when nothing at all has arrived for this long. 60 s. */
  readonly idleMs?: number | undefined
  /** Called each time the stream is open, the first time included. */
  readonly onConnected?: (() => void) | undefined
  /** Called each time the stream is lost, before it is opened again. */
  readonly onInterruption?: ((cause: unknown) => void) | undefined
}

/**
 * A connection whose peer has vanished stays silent without an error. A minute
 * is long compared to the comments that keep a stream alive, and reopening a
 * stream after its last event is cheap.
 */
const IDLE_MS = 60_000

/**
 * Yields events until the signal aborts or the service returns a permanent error.
 *
 * A lost connection is opened again after the last complete event, without a
 * limit on the number of tries.
 */
export async function* readEvents(
  settings: Pick<Settings, 'retry' | 'sleep' | 'random'>,
  connect: (lastEventId: string) => Promise<Response>,
  options: EventOptions & {
    /** The service ends the stream when it has sent everything. */
    readonly hasEnd?: boolean
  },
): AsyncGenerator<ServerEvent, void, undefined> {
  const { signal, idleMs = IDLE_MS, onConnected, onInterruption, hasEnd = false } = options
  let parser = createEventParser(options.lastEventId ?? '')
  let failures = 0
  for (;;) {
    try {
      const response = await connect(parser.lastEventId)
      // In the event stream format, 204 means: do not reconnect.
      if (response.status === 204) return
      onConnected?.()
      for await (const text of textOf(response, signal, idleMs)) {
        const events = parser.push(text)
        if (events.length > 0) failures = 0
        yield* events
      }
      if (hasEnd) return
      throw lostAt(response, new Error('The event stream was closed'))
    } catch (error) {
      signal?.throwIfAborted()
      if (!isTransient(error)) throw error
      failures += 1
      onInterruption?.(error)
      await settings.sleep(requestedWaitMs(error, parser) + jitterMs(settings, failures), signal)
      // An event that was cut off is sent again; only the id of the last complete event is kept.
      parser = createEventParser(parser.lastEventId, parser.retryMs)
    }
  }
}

function requestedWaitMs(error: unknown, parser: EventParser): number {
  const retryAfterMs = error instanceof ProblemError ? (error.retryAfterMs ?? 0) : 0
  return Math.max(parser.retryMs ?? 0, retryAfterMs)
}

const lostAt = ({ url }: Response, cause: unknown) => new UnreachableError({ method: 'GET', url }, cause)

/** The text of a stream, until the service ends it. Throws if the connection breaks or is silent. */
async function* textOf(
  response: Response,
  signal: AbortSignal | undefined,
  idleMs: number,
): AsyncGenerator<string, void, undefined> {
  const lost = (cause: unknown) => lostAt(response, cause)
  let isStopped = false // by us, and not by the service
  if (response.body === null) throw lost(new Error('The stream has no body'))
  // A reader, because not every browser can iterate a stream.
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  // An errored stream has nothing left to cancel, and its error is thrown by read.
  const stop = () => {
    isStopped = true
    void reader.cancel().catch(() => undefined)
  }
  signal?.addEventListener('abort', stop, { once: true })
  try {
    for (;;) {
      const timer = setTimeout(stop, idleMs)
      const { done, value } = await reader
        .read()
        .catch((cause: unknown) => Promise.reject(lost(cause)))
        .finally(() => clearTimeout(timer))
      if (done && isStopped) throw lost(new Error(`No data on the event stream for ${idleMs} ms`))
      if (done) return
      yield decoder.decode(value, { stream: true })
    }
  } finally {
    signal?.removeEventListener('abort', stop)
    stop()
  }
}
