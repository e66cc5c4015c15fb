import type { Filter } from '@continuity/core/search/filter'
import type { TextTerm } from '@continuity/core/search/parse-query'
import {
  compileText,
  type LabelField,
  labelCodes,
  labelTerms,
  type TextField,
} from '@continuity/core/search/search-terms'
import type { RawBuilder } from 'kysely'
import { boundsOf, type RowBounds } from '../search-index/row-bounds.ts'
import { filterSql } from './filter-sql.ts'
import type { TextQueries } from './search-select.ts'

/** How a search is executed. */
export interface SearchPlan {
  /** The query of the index; undefined if the index cannot narrow the search. */
  readonly indexed: TextQueries | undefined
  /** The complete text query; null without words. */
  readonly whole: string | null
  /** Null if the filter sets none. */
  readonly bounds: RowBounds | null
  readonly condition: RawBuilder<boolean> | null
  readonly filter: RawBuilder<boolean> | null
}

/**
 * Divides a search between the index and the records. The index has words and
 * labels, and its rows have date and duration; everything else is checked in the
 * record of each match. A query with several variants matches any of them.
 */
export function planSearch(
  variants: readonly (readonly TextTerm[])[],
  fields: readonly TextField[],
  filter: Filter | null,
): SearchPlan {
  const texts = variants.map((text) => compileText(text, fields))
  const parts = filter === null ? [] : conjuncts(filter)
  const ofText = anyOf(texts.map(({ terms }) => terms))
  const labels = chooseLabels(parts, ofText !== null)
  const isChosen = new Set<Filter>(labels)
  const { bounds, rest } = boundsOf(parts.filter((part) => !isChosen.has(part)))
  const ofLabels = labels.map(({ field, values }) => labelTerms(field, values))
  const terms = [...(ofText === null ? [] : [ofText]), ...ofLabels].join(' & ')
  const whole = anyOf(texts.map((text) => text.whole))
  const isExact = texts.some(({ exact }) => exact !== null)
  return {
    indexed:
      terms === ''
        ? undefined
        : {
            terms,
            exact: isExact ? whole : null,
            whole,
            rank: anyOf(texts.map(({ rank }) => rank)),
            weights: weightsOf(fields),
            title: anyOf(texts.map(({ title }) => title)),
          },
    whole,
    bounds,
    condition: rest.length === 0 ? null : filterSql({ kind: 'and', of: rest }),
    filter: filter === null ? null : filterSql(filter),
  }
}

/** In the order of PostgreSQL's weights: D, C, B, A. */
const weights: readonly (readonly [TextField, number])[] = [
  ['description', 0.1],
  ['series_title', 0.2],
  ['keywords', 0.4],
  ['title', 1],
]

/** A match outside of the requested fields must not count. */
const weightsOf = (fields: readonly TextField[]) =>
  weights.map(([field, weight]) => (fields.length === 0 || fields.includes(field) ? weight : 0))

function conjuncts(filter: Filter): readonly Filter[] {
  return filter.kind === 'and' ? filter.of.flatMap(conjuncts) : [filter]
}

type LabelFilter = { readonly kind: 'in'; readonly field: LabelField; readonly values: readonly string[] }

const isLabel = (filter: Filter): filter is LabelFilter => filter.kind === 'in' && filter.field in labelCodes

/**
 * The time of an index query is quadratic in its terms, because PostgreSQL checks each
 * of them against the whole query: a thousand take seconds.
 */
const VALUES_MOST = 50

/** The labels for the index: short lists first, and a long one only if there is nothing else. */
function chooseLabels(parts: readonly Filter[], hasText: boolean): readonly LabelFilter[] {
  const lists = parts.filter(isLabel).toSorted((one, other) => one.values.length - other.values.length)
  let values = 0
  return lists.filter((list, at) => {
    values += list.values.length
    return values <= VALUES_MOST || (at === 0 && !hasText)
  })
}

/** Null if one of them is null: then all are, because they differ only in their words. */
function anyOf(queries: readonly (string | null)[]): string | null {
  const given = queries.filter((query) => query !== null)
  if (given.length < queries.length || given.length === 0) return null
  return given.length === 1 ? `(${given[0]})` : `(${given.map((query) => `(${query})`).join(' | ')})`
}
