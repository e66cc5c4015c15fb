import type { PageKey } from '../../../platform/crypto/page-cursor.ts'
import type { SortKey } from '../records/video-sort.ts'
import { printCorrections, readCorrections } from './correct-text.ts'
import type { SearchCursor } from './search-videos.ts'

/** The values of a cursor: the corrections, its kind and its keys. */
export function printCursor(cursor: SearchCursor): PageKey {
  const corrections = cursor.corrections === undefined ? null : printCorrections(cursor.corrections)
  if (cursor.kind !== 'ranked') return [corrections, cursor.kind, ...cursor.after]
  const { after, bound } = cursor
  const key = [corrections, cursor.kind, after.rank, after.publishedMs, after.videoId]
  return bound === undefined ? key : [...key, bound.publishedMs, bound.videoId]
}

/** Cursors are authenticated, so they have the form that `printCursor` gave them. */
export function readCursor([printed, kind, ...values]: PageKey): SearchCursor {
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
