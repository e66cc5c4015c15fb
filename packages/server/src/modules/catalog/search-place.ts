import type { PageKey } from '../../platform/page-mark.ts'
import { printCorrections, readCorrections } from './correct-text.ts'
import type { SearchPlace } from './search-videos.ts'
import type { SortKey } from './video-sort.ts'

/** A place as the values of a page's mark: first what words were taken for, then what kind of place it is. */
export function printPlace(place: SearchPlace): PageKey {
  const corrections = place.corrections === undefined ? null : printCorrections(place.corrections)
  if (place.kind !== 'ranked') return [corrections, place.kind, ...place.after]
  const { after, bound } = place
  const key = [corrections, place.kind, after.rank, after.publishedMs, after.videoId]
  return bound === undefined ? key : [...key, bound.publishedMs, bound.videoId]
}

/** Only marks of ours are read, so they have the form that they were given. */
export function readPlace([printed, kind, ...values]: PageKey): SearchPlace {
  const corrections = typeof printed === 'string' ? readCorrections(printed) : undefined
  if (kind !== 'ranked') return { kind: kind as 'sorted' | 'older', after: values as SortKey, corrections }
  const [rank, publishedMs, videoId, boundMs, boundId] = values as [number, number, string, number?, string?]
  return {
    kind,
    after: { rank, publishedMs, videoId },
    bound:
      boundMs === undefined || boundId === undefined ? undefined : { publishedMs: boundMs, videoId: boundId },
    corrections,
  }
}
