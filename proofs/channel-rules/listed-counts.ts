/** Totals of what was new in the playlists of one output. */
export interface ListedCounts {
  readonly segments: number
  readonly discontinuities: number
  /** Ad breaks, by the ids of their date ranges. */
  readonly breaks: number
}

export interface ListedCounter {
  add(text: string): void
  counts(): ListedCounts
}

/** Parses the few lines that it needs itself, so that the counts come from the text. */
export function createListedCounter(): ListedCounter {
  const breaks = new Set<string>()
  let segments = 0
  let discontinuities = 0
  let nextSequence = 0
  let nextDiscontinuity = 0
  return {
    add(text) {
      const first = numberIn(text, /^#EXT-X-MEDIA-SEQUENCE:(\d+)$/m)
      const end = first + countOf(text, /^#EXTINF:/gm)
      segments += Math.max(0, end - Math.max(first, nextSequence))
      nextSequence = Math.max(nextSequence, end)
      const tagged = countOf(text, /^#EXT-X-DISCONTINUITY$/gm)
      const discontinuity = numberIn(text, /^#EXT-X-DISCONTINUITY-SEQUENCE:(\d+)$/m) + tagged
      discontinuities += Math.min(tagged, Math.max(0, discontinuity - nextDiscontinuity))
      nextDiscontinuity = Math.max(nextDiscontinuity, discontinuity)
      for (const [, id] of text.matchAll(/^#EXT-X-DATERANGE:ID="([^"]+)".*SCTE35-OUT=/gm)) breaks.add(id!)
    },
    counts: () => ({ segments, discontinuities, breaks: breaks.size }),
  }
}

const numberIn = (text: string, pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? 0)

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0
