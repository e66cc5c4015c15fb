import { type Filter, filterFields, matchesFilter, readFilter } from '../search/filter.ts'
import { fill } from './catalog-index.ts'
import type { CatalogVideo } from './plan-input.ts'

/** Whether a video matches, by its index. */
export type FilterTest = (at: number) => boolean

/**
 * Prepares a filter of the search for many videos. Only times can depend on `nowMs`; they are parsed once for all
 * filters and days, in `columns`.
 */
export function compileFilter(
  input: unknown,
  videos: readonly CatalogVideo[],
  columns: TimeColumns,
  nowMs: number,
): FilterTest {
  const read = readFilter(input, nowMs)
  // The rules were checked; a filter that is rejected now matches nothing.
  return read.kind === 'rejected' ? () => false : compile(read.filter, videos, columns)
}

/** Whether a filter depends on the day. */
export const isRelative = (input: unknown): boolean => JSON.stringify(input).includes('"now')

/** Times of a field of all videos, NaN for none. */
export type TimeColumns = Map<string, Float64Array>

function compile(filter: Filter, videos: readonly CatalogVideo[], columns: TimeColumns): FilterTest {
  switch (filter.kind) {
    case 'and': {
      const parts = filter.of.map((part) => compile(part, videos, columns))
      return (at) => parts.every((part) => part(at))
    }
    case 'or': {
      const parts = filter.of.map((part) => compile(part, videos, columns))
      return (at) => parts.some((part) => part(at))
    }
    case 'not': {
      const part = compile(filter.of, videos, columns)
      return (at) => !part(at)
    }
    case 'compare': {
      if (filterFields[filter.field] !== 'time') return (at) => matchesFilter(filter, videos[at]!)
      const times = columnOf(filter.field as TimeField, videos, columns)
      const { op, value } = filter
      // Comparisons with NaN are false, as for a field without a value.
      if (op === 'gte') return (at) => times[at]! >= value
      if (op === 'lte') return (at) => times[at]! <= value
      return op === 'gt' ? (at) => times[at]! > value : (at) => times[at]! < value
    }
    default:
      return (at) => matchesFilter(filter, videos[at]!)
  }
}

type TimeField = 'date_published' | 'date_available' | 'date_expired' | 'date_created' | 'last_updated'

function columnOf(field: TimeField, videos: readonly CatalogVideo[], columns: TimeColumns): Float64Array {
  const known = columns.get(field)
  if (known !== undefined) return known
  const column = fill(new Float64Array(videos.length), (at) => Date.parse(videos[at]![field] ?? ''))
  columns.set(field, column)
  return column
}
