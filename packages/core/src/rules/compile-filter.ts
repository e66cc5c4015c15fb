import { type Filter, filterFields, matchesFilter, readFilter } from '../search/filter.ts'
import type { CatalogIndex, TimeField } from './catalog-index.ts'

/** Whether a video matches, by its index. */
export type FilterTest = (at: number) => boolean

type Catalog = Pick<CatalogIndex, 'videos' | 'timesOf'>

/** Prepares a filter of the search for many videos. Only times can depend on `nowMs`. */
export function compileFilter(input: unknown, catalog: Catalog, nowMs: number): FilterTest {
  const read = readFilter(input, nowMs)
  // The rules were checked; a filter that is rejected now matches nothing.
  return read.kind === 'rejected' ? () => false : compile(read.filter, catalog)
}

/** Whether a filter depends on the day. */
export const isRelative = (input: unknown): boolean => JSON.stringify(input).includes('"now')

function compile(filter: Filter, catalog: Catalog): FilterTest {
  const { videos, timesOf } = catalog
  switch (filter.kind) {
    case 'and': {
      const parts = filter.of.map((part) => compile(part, catalog))
      return (at) => parts.every((part) => part(at))
    }
    case 'or': {
      const parts = filter.of.map((part) => compile(part, catalog))
      return (at) => parts.some((part) => part(at))
    }
    case 'not': {
      const part = compile(filter.of, catalog)
      return (at) => !part(at)
    }
    case 'compare': {
      if (filterFields[filter.field] !== 'time') return (at) => matchesFilter(filter, videos[at]!)
      const times = timesOf(filter.field as TimeField)
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
