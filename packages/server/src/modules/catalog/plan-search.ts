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
import { filterSql } from './filter-sql.ts'
import { boundsOf, type RowBounds } from './row-bounds.ts'
import type { TextQueries } from './search-select.ts'

/** How a search is carried out. */
export interface SearchPlan {
  /** What the index is asked; undefined where it can tell nothing. */
  readonly indexed: TextQueries | undefined
  /** What every match says of its words; null where none were asked for. */
  readonly whole: string | null
  /** Null where the filter has none. */
  readonly bounds: RowBounds | null
  readonly condition: RawBuilder<boolean> | null
  readonly filter: RawBuilder<boolean> | null
}

/**
 * Divides what was asked for between the index and the rows. The index knows
 * words, and labels that a video must have, and the rows that it finds tell date
 * and duration; all else is asked of the record of each. A query that may have been meant in several ways asks for any.
 */
export function planSearch(
  ways: readonly (readonly TextTerm[])[],
  fields: readonly TextField[],
  filter: Filter | null,
): SearchPlan {
  const texts = ways.map((text) => compileText(text, fields))
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

/** The order that PostgreSQL wants them in. */
const weights: readonly (readonly [TextField, number])[] = [
  ['description', 0.1],
  ['series_title', 0.2],
  ['keywords', 0.4],
  ['title', 1],
]

/** A match that is not in a field that was asked for is none, and must not count as one. */
const weightsOf = (fields: readonly TextField[]) =>
  weights.map(([field, weight]) => (fields.length === 0 || fields.includes(field) ? weight : 0))

function conjuncts(filter: Filter): readonly Filter[] {
  return filter.kind === 'and' ? filter.of.flatMap(conjuncts) : [filter]
}

type LabelFilter = { readonly kind: 'in'; readonly field: LabelField; readonly values: readonly string[] }

const isLabel = (filter: Filter): filter is LabelFilter => filter.kind === 'in' && filter.field in labelCodes

/**
 * What the index is asked for takes time by the square of its terms, because
 * PostgreSQL tries each of them against the whole query: a thousand take seconds.
 */
const VALUES_MOST = 50

/** The labels that the index is asked for: short lists first, and a long one only where there is nothing else. */
function chooseLabels(parts: readonly Filter[], hasText: boolean): readonly LabelFilter[] {
  const lists = parts.filter(isLabel).toSorted((one, other) => one.values.length - other.values.length)
  let values = 0
  return lists.filter((list, at) => {
    values += list.values.length
    return values <= VALUES_MOST || (at === 0 && !hasText)
  })
}

/** Null where one of them asks for nothing, for then all do: they differ in their words alone. */
function anyOf(queries: readonly (string | null)[]): string | null {
  const asked = queries.filter((query) => query !== null)
  if (asked.length < queries.length || asked.length === 0) return null
  return asked.length === 1 ? `(${asked[0]})` : `(${asked.map((query) => `(${query})`).join(' | ')})`
}
