import type { PageCursors, PageKey, PageScope } from '../platform/crypto/page-cursor.ts'
import { InvalidPageCursor } from './errors.ts'
import type { Principal } from './principal.ts'

/** A call of an operation that is paged by cursors. */
export interface PagedCall {
  readonly principal: Principal
  readonly operationId: string
  readonly params: unknown
  readonly query: { readonly page_size: number; readonly page_offset?: string }
  readonly body: unknown
}

/**
 * The key after which the requested page starts; undefined for the first one. Rows after it are read, one more than fits
 * on the page.
 *
 * A key has the values that `pageAnswer` was given. A release that changes the key of a list must also increment the
 * label of the cursors: old ones would open and not fit.
 */
export function pageStart(cursors: PageCursors, call: PagedCall): PageKey | undefined {
  const { page_offset: cursor } = call.query
  if (cursor === undefined || cursor === FIRST) return undefined
  const key = cursors.open(scopeOf(call), cursor)
  if (key === undefined) throw InvalidPageCursor()
  return key
}

export interface PageContent<R, H> {
  /** In order, from the start of the page, and one more than fits on it where there are more. */
  readonly rows: readonly R[]
  readonly hitOf: (row: R) => H
  /** The values that the list is sorted by, including the one that makes rows unique. */
  readonly keyOf: (row: R) => PageKey
}

/** A page as it is sent, without the total, which lists count in different ways. */
export interface PageAnswer<H> {
  hits: H[]
  page: { page_id: null; page_size: string; page_mark: string | null; page_offset: string }
}

/** The requested page, with the cursor of the next one where a row is left over. */
export function pageAnswer<R, H>(
  cursors: PageCursors,
  call: PagedCall,
  { rows, hitOf, keyOf }: PageContent<R, H>,
): PageAnswer<H> {
  const { page_size: size, page_offset: offset = FIRST } = call.query
  const shown = rows.slice(0, size)
  const last = rows.length > size ? shown.at(-1) : undefined
  const cursor = last === undefined ? null : cursors.seal(scopeOf(call), keyOf(last))
  return {
    hits: shown.map(hitOf),
    page: { page_id: null, page_size: `${size}`, page_mark: cursor, page_offset: offset },
  }
}

/** Counting further would take longer than the list itself. */
export const TOTAL_MAXIMUM = 10_000

/** The total of a list whose rows were counted, to at most one above the maximum. */
export function countedTotal(counted: number): { total: number; total_relation: 'eq' | 'gte' } {
  return counted > TOTAL_MAXIMUM
    ? { total: TOTAL_MAXIMUM, total_relation: 'gte' }
    : { total: counted, total_relation: 'eq' }
}

const FIRST = '0'

/** The request without the cursor and the page size, which may change between pages. */
function scopeOf({ principal, operationId, params, query, body }: PagedCall): PageScope {
  const { page_size: _size, page_offset: _offset, ...filter } = query
  return { accountId: principal.accountId, operationId, filter: { params, query: filter, body } }
}
