import { type Media, ticksBefore } from '../media/media.ts'
import { segmentName } from '../media/segment-index.ts'
import type { Shown } from '../timeline/shown.ts'
import { printDuration } from './print-time.ts'

/**
 * The lines of segments, made once for all viewers and all windows.
 *
 * They are cached in chunks of a fixed number of segments, not for whole assets: only a window of a film is
 * needed at a time, and ten thousand channels show ten thousand films.
 */
export interface SegmentTexts {
  /**
   * Adds the lines of segments `from` to `to` of a media; `to` is exclusive, and the range must not cross the
   * end of a loop.
   */
  addTexts(texts: string[], media: Media, rung: string, from: number, to: number): void
  /** The address of a single segment. */
  addressOf(shown: Shown, rung: string): string
  /** Characters cached since the cache was last cleared. */
  keptCharacters(): number
}

const SEGMENTS_PER_TEXT = 16

export interface TextsOptions {
  /** Prefix of addresses in the media store: `/media/` or the address of a CDN. */
  readonly mediaBase: string
  /** Largest number of cached characters; above it, the cache is cleared. */
  readonly keptCharacters: number
}

interface RungTexts {
  /** Characters of one segment: the same for all, because names and durations have a fixed length. */
  readonly each: number
  readonly texts: string[]
}

export function createSegmentTexts({ mediaBase, keptCharacters }: TextsOptions): SegmentTexts {
  let kept = new WeakMap<Media, Map<string, RungTexts>>()
  let characters = 0

  const make = (media: Media, rung: string, at: number): string => {
    const first = at * SEGMENTS_PER_TEXT
    const end = Math.min(first + SEGMENTS_PER_TEXT, media.segmentCount)
    const lines: string[] = []
    for (let number = first; number < end; number += 1) lines.push(linesOf(mediaBase, media, rung, number))
    // Joined instead of concatenated: a concatenated string would be flattened again with each copy.
    return lines.join('')
  }
  const findTexts = (media: Media, rung: string): RungTexts => {
    const ofMedia = kept.get(media) ?? new Map<string, RungTexts>()
    const found = ofMedia.get(rung)
    if (found !== undefined) return found
    const made = { each: linesOf(mediaBase, media, rung, 0).length, texts: [] }
    kept.set(media, ofMedia.set(rung, made))
    return made
  }
  const keep = (texts: string[], at: number, text: string): string => {
    characters += text.length
    if (characters > keptCharacters) {
      kept = new WeakMap()
      characters = 0
    }
    texts[at] = text
    return text
  }

  return {
    addTexts(texts, media, rung, from, to) {
      const ofRung = findTexts(media, rung)
      const last = Math.floor((to - 1) / SEGMENTS_PER_TEXT)
      for (let at = Math.floor(from / SEGMENTS_PER_TEXT); at <= last; at += 1) {
        const whole = ofRung.texts[at] ?? keep(ofRung.texts, at, make(media, rung, at))
        const first = at * SEGMENTS_PER_TEXT
        const isWhole = from <= first && to >= first + SEGMENTS_PER_TEXT
        const { each } = ofRung
        texts.push(isWhole ? whole : whole.slice(Math.max(0, from - first) * each, (to - first) * each))
      }
    },
    addressOf: ({ path, number, live }, rung) =>
      `${mediaBase}${path}/${rung}/${live === null ? segmentName(number) : `${number}.ts`}`,
    keptCharacters: () => characters,
  }
}

function linesOf(mediaBase: string, media: Media, rung: string, number: number): string {
  const ticks = ticksBefore(media, number + 1) - ticksBefore(media, number)
  return `#EXTINF:${printDuration(ticks)},\n${mediaBase}${media.path}/${rung}/${segmentName(number)}\n`
}
