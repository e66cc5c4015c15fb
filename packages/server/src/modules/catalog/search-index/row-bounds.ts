import type { Comparison, Filter } from '@continuity/core/search/filter'
import { FIRST_MS, LAST_MS, LAST_NUMBER } from '../records/video-document.ts'

/** The inclusive ranges of a match, for the columns of the search index. */
export interface RowBounds {
  readonly publishedMs: Bounds
  readonly duration: Bounds
}

interface Bounds {
  readonly least: number
  readonly most: number
}

/** Includes every video. One without a date has the first. */
export const NO_BOUNDS: RowBounds = {
  publishedMs: { least: FIRST_MS, most: LAST_MS },
  duration: { least: 0, most: LAST_NUMBER },
}

type BoundedField = 'date_published' | 'duration'
type BoundPart = Extract<Filter, { kind: 'compare' }> & { readonly field: BoundedField }

const isBound = (part: Filter): part is BoundPart =>
  part.kind === 'compare' && (part.field === 'date_published' || part.field === 'duration')

/** The bounds that these parts of a filter set together, and the parts that set none. */
export function boundsOf(parts: readonly Filter[]): {
  readonly bounds: RowBounds | null
  readonly rest: readonly Filter[]
} {
  const set = parts.filter(isBound)
  if (set.length === 0) return { bounds: null, rest: parts }
  const of = (field: BoundedField, none: Bounds) =>
    set.filter((part) => part.field === field).reduce(narrow, none)
  return {
    bounds: {
      // A missing date is neither before nor after any date.
      publishedMs: set.some(({ field }) => field === 'date_published')
        ? of('date_published', { least: FIRST_MS + 1, most: LAST_MS })
        : NO_BOUNDS.publishedMs,
      duration: of('duration', NO_BOUNDS.duration),
    },
    rest: parts.filter((part) => !isBound(part)),
  }
}

function narrow({ least, most }: Bounds, { op, value }: BoundPart): Bounds {
  const bound = boundings[op](value)
  return op === 'gte' || op === 'gt'
    ? { least: Math.max(least, Math.min(bound, most + 1)), most }
    : { least, most: Math.min(most, Math.max(bound, least - 1)) }
}

/** The first or the last integer that satisfies the comparison. */
const boundings: Readonly<Record<Comparison, (value: number) => number>> = {
  gte: Math.ceil,
  gt: (value) => Math.floor(value) + 1,
  lte: Math.floor,
  lt: (value) => Math.ceil(value) - 1,
}
