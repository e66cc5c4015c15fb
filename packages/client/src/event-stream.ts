import { createEventParser, type EventParser, type ServerEvent } from './event-parser.ts'
import { ProblemError } from './problem-error.ts'
import { isPassing, jitterMs } from './retry.ts'
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
  /** Told each time the stream is lost and about to be opened again. */
  readonly onInterruption?: ((cause: unknown) => void) | undefined
}

/**
 * A connection whose other end has vanished stays silent for ever. A minute is
 * long beside the comments that keep a stream alive, and if there are none,
 * opening it again where it was costs nothing.
 */
const IDLE_MS = 60_000

/**
 * Events until the signal aborts or the service refuses for good.
 *
 * A lost connection is opened again after the last event that was complete,
 * for as long as it takes: whoever watches wants to know when it is back.
 */
export async function* readEvents(
  settings: Pick<Settings, 'retry' | 'sleep' | 'random'>,
  connect: (lastEventId: string) => Promise<Response>,
  options: EventOptions & {
    /** The service ends the stream when it has sent everything. */
    readonly hasEnd?: boolean
  },
): AsyncGenerator<ServerEvent, void, undefined> {
  const { signal, idleMs = IDLE_MS, onInterruption, hasEnd = false } = options
  let parser = createEventParser(options.lastEventId ?? '')
  let failures = 0
  for (;;) {
    try {
      const response = await connect(parser.lastEventId)
      // The format's way of saying that there is nothing to come back for.
      if (response.status === 204) return
      for await (const text of textOf(response, signal, idleMs)) {
        const events = parser.push(text)
        if (events.length > 0) failures = 0
        yield* events
      }
      if (hasEnd) return
      throw lostAt(response, new Error('The stream of events was closed'))
    } catch (error) {
      signal?.throwIfAborted()
      if (!isPassing(error)) throw error
      failures += 1
      onInterruption?.(error)
      await settings.sleep(askedMs(error, parser) + jitterMs(settings, failures), signal)
      // What was cut off in the middle comes again; only the place in the stream is kept.
      parser = createEventParser(parser.lastEventId, parser.retryMs)
    }
  }
}

function askedMs(error: unknown, parser: EventParser): number {
  const retryAfterMs = error instanceof ProblemError ? (error.retryAfterMs ?? 0) : 0
  return Math.max(parser.retryMs ?? 0, retryAfterMs)
}

const lostAt = ({ url }: Response, cause: unknown) => new UnreachableError({ method: 'GET', url }, cause)

/** The text of a stream, until the service ends it. Being broken or silent is a lost connection. */
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
      if (done && isStopped) throw lost(new Error('The stream of events fell silent'))
      if (done) return
      yield decoder.decode(value, { stream: true })
    }
  } finally {
    signal?.removeEventListener('abort', stop)
    stop()
  }
}
