import { createPlaylistValidator, type PlaylistValidator } from '@continuity/playlist-validator'
import type { Output } from './node.ts'

/** A viewer of an output, who starts a new session after its end. */
export interface Viewer {
  readonly output: Output
  readonly validator: PlaylistValidator
  /** Whether it has seen a playlist that is not ended. */
  isWatching(): boolean
  checkMedia(atMs: number, rung: string, text: string | undefined): void
  checkDelta(atMs: number, rung: string, delta: string, full: string): void
}

export function createViewer(output: Output): Viewer {
  const { windowMs, style, breakPolicy } = output
  const validator = createPlaylistValidator({
    profile: 'house',
    targetDuration: 5,
    maxWindowMs: windowMs,
    markers: style.markers,
    breakPolicy,
  })
  let last: string | undefined
  /** A viewer leaves at the end; the next one starts a new session. */
  const follow = (text: string | undefined) => {
    if (last !== undefined && (text === undefined || (isEnded(last) && !isSame(last, text))))
      validator.restart()
    last = text
  }
  return {
    output,
    validator,
    isWatching: () => last !== undefined && !isEnded(last),
    checkMedia(atMs, rung, text) {
      follow(text)
      if (text !== undefined) validator.checkMedia({ atMs, rendition: rung, text })
    },
    checkDelta(atMs, rung, delta, full) {
      follow(full)
      validator.checkDelta({ atMs, rendition: rung, text: delta, full })
    },
  }
}

const isEnded = (text: string): boolean => text.endsWith('#EXT-X-ENDLIST\n')

/** May compare different renditions: nothing changes after the end. */
const isSame = (ended: string, text: string): boolean =>
  isEnded(text) && sequenceOf(ended) === sequenceOf(text)

const sequenceOf = (text: string): string | undefined => /^#EXT-X-MEDIA-SEQUENCE:(\d+)$/m.exec(text)?.[1]
