import type { Readable } from 'node:stream'
import { asRefusal } from './outbound-faults.ts'
import { OutboundRefused } from './outbound-refused.ts'

export interface BodyLimits {
  readonly mostBytes: number
  readonly windowMs: number
  readonly leastBytes: number
  readonly signal: AbortSignal
}

/** Reads a body that may be endless or never come, and closes it whichever way it is left. */
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
    throw asRefusal(error, limits.signal)
  } finally {
    watch.stop()
    body.destroy()
  }
}

/** Looks once a window whether enough has come, so that a drop now and then does not hold a worker for hours. */
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

export const tooLarge = (): OutboundRefused =>
  new OutboundRefused('fetch.too_large', 'The file is larger than what is taken in.', { isFinal: true })

const tooSlow = (): OutboundRefused =>
  new OutboundRefused('fetch.too_slow', 'The file arrives too slowly; serve it faster.', { isFinal: false })
