import type { Readable } from 'node:stream'
import { OutboundError } from './outbound-error.ts'
import { toOutboundError } from './outbound-faults.ts'

export interface BodyLimits {
  readonly mostBytes: number
  readonly windowMs: number
  readonly leastBytes: number
  readonly signal: AbortSignal
}

/** Reads a body that may be endless or stall, and closes it in every case. */
export async function* readBody(body: Readable, limits: BodyLimits): AsyncGenerator<Buffer, void> {
  const watch = watchPace(body, limits)
  let bytes = 0
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > limits.mostBytes) throw tooLarge()
      watch.count(chunk.length)
      yield chunk
    }
  } catch (error) {
    throw toOutboundError(error, limits.signal)
  } finally {
    watch.stop()
    body.destroy()
  }
}

/** Checks the rate once per window, so that a trickle of bytes does not occupy a worker for hours. */
function watchPace(body: Readable, { windowMs, leastBytes }: BodyLimits) {
  let bytes = 0
  const timer = setInterval(() => {
    if (bytes < leastBytes) body.destroy(tooSlow())
    bytes = 0
  }, windowMs)
  return {
    count: (more: number) => {
      bytes += more
    },
    stop: () => clearInterval(timer),
  }
}

export const tooLarge = (): OutboundError =>
  new OutboundError('fetch.too_large', 'The file is larger than the size limit.', { isFinal: true })

const tooSlow = (): OutboundError =>
  new OutboundError('fetch.too_slow', 'The file arrives too slowly; serve it faster.', { isFinal: false })
