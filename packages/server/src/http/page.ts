import type { PageKey, PageMarks, PageScope } from '../platform/page-mark.ts'
import { PageMarkInvalid } from './errors.ts'
import type { Principal } from './principal.ts'

/** A call of an operation that is paged by marks. */
export interface PagedCall {
  readonly principal: Principal
  readonly operationId: string
  readonly params: unknown
  readonly query: { readonly page_size: number; readonly page_offset?: string }
  readonly body: unknown
}

/**
 * The key after which the page begins that is asked for; undefined for the
 * first one. Rows that come after it are read, one more than fit on the page.
 *
 * A key has the values that `pageAnswer` was given for it. A release that gives
 * a list another key also counts up the label of the marks: old ones would open
 * and not fit.
 */
export function pageStart(marks: PageMarks, call: PagedCall): PageKey | undefined {
  const { page_offset: mark } = call.query
  if (mark === undefined || mark === FIRST) return undefined
  const key = marks.open(scopeOf(call), mark)
  if (key === undefined) throw PageMarkInvalid()
  return key
}

export interface PageContent<R, H> {
  /** In order, from the start of the page, and one more than fit on it where there are more. */
  readonly rows: readonly R[]
  readonly hitOf: (row: R) => H
  /** What the list is sorted by, to the last value that tells two rows apart. */
  readonly keyOf: (row: R) => PageKey
}

/** How a page looks on the wire, but for the total, which lists count in different ways. */
export interface PageAnswer<H> {
  hits: H[]
  page: { page_id: null; page_size: string; page_mark: string | null; page_offset: string }
}

/** The page that was asked for, with the mark of the next one where a row is left over. */
export function pageAnswer<R, H>(
  marks: PageMarks,
  call: PagedCall,
  { rows, hitOf, keyOf }: PageContent<R, H>,
): PageAnswer<H> {
  const { page_size: size, page_offset: offset = FIRST } = call.query
  const shown = rows.slice(0, size)
  const last = rows.length > size ? shown.at(-1) : undefined
  const mark = last === undefined ? null : marks.seal(scopeOf(call), keyOf(last))
  return {
    hits: shown.map(hitOf),
    page: { page_id: null, page_size: `${size}`, page_mark: mark, page_offset: offset },
  }
}

/** Counting further would take longer than the list itself, and nobody reads so far. */
export const TOTAL_MAXIMUM = 10_000

/** The total of a list whose rows were counted, to one beyond the maximum at most. */
export function countedTotal(counted: number): { total: number; total_relation: 'eq' | 'gte' } {
  return counted > TOTAL_MAXIMUM
    ? { total: TOTAL_MAXIMUM, total_relation: 'gte' }
    : { total: counted, total_relation: 'eq' }
}

const FIRST = '0'

/** All that was asked for but the place and the size of the page, which may change from one to the next. */
function scopeOf({ principal, operationId, params, query, body }: PagedCall): PageScope {
  const { page_size: _size, page_offset: _offset, ...filter } = query
  return { accountId: principal.accountId, operationId, filter: { params, query: filter, body } }
}
