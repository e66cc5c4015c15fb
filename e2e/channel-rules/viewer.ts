import { createWalker, type Walker } from '../walker/walker.ts'
import type { Output } from './node.ts'

/** One who watches an output, and begins anew after its end. */
export interface Viewer {
  readonly output: Output
  readonly walker: Walker
  /** Whether it has seen a playlist that is not the last. */
  isWatching(): boolean
  see(atMs: number, rung: string, text: string | undefined): void
  seeDelta(atMs: number, rung: string, delta: string, full: string): void
}

export function createViewer(output: Output): Viewer {
  const { windowMs, style, breakPolicy } = output
  const walker = createWalker({
    targetDuration: 5,
    maxWindowMs: windowMs,
    markers: style.markers,
    breakPolicy,
  })
  let last: string | undefined
  /** Whoever has seen the end does not come back; the next viewer begins anew. */
  const follow = (text: string | undefined) => {
    if (last !== undefined && (text === undefined || (isEnded(last) && !isSame(last, text)))) walker.restart()
    last = text
  }
  return {
    output,
    walker,
    isWatching: () => last !== undefined && !isEnded(last),
    see(atMs, rung, text) {
      follow(text)
      if (text !== undefined) walker.see({ atMs, rendition: rung, text })
    },
    seeDelta(atMs, rung, delta, full) {
      follow(full)
      walker.seeDelta({ atMs, rendition: rung, text: delta, full })
    },
  }
}

const isEnded = (text: string): boolean => text.endsWith('#EXT-X-ENDLIST\n')

/** Of another rendition perhaps: nothing moves any more after the end. */
const isSame = (ended: string, text: string): boolean =>
  isEnded(text) && sequenceOf(ended) === sequenceOf(text)

const sequenceOf = (text: string): string | undefined => /^#EXT-X-MEDIA-SEQUENCE:(\d+)$/m.exec(text)?.[1]
