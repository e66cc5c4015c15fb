import type { Endpoint } from '@continuity/contract'
import type { Api } from '../access/call.ts'
import { done } from '../access/session.ts'
import type { SessionHeaders } from './catalog-system.ts'

/** What of a list's address and body says which list it is. */
export interface ListRequest {
  readonly operation: Endpoint
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
}

export interface ListPage<R> {
  readonly hits: readonly R[]
  readonly page: {
    readonly page_size: string
    readonly page_offset: string
    readonly page_mark: string | null
  }
  readonly total: number
  readonly total_relation?: 'eq' | 'gte'
}

/** A reader with the size of the pages that it asks for. */
export interface Walker {
  readonly api: Api
  readonly headers: SessionHeaders
  readonly pageSize: number
}

/** One page, and insists on it. */
export async function readPage<R>(
  { api, headers, pageSize }: Walker,
  { operation, params, query, body }: ListRequest,
  mark: string,
): Promise<ListPage<R>> {
  return done(api, operation, {
    ...(params === undefined ? {} : { params }),
    ...(body === undefined ? {} : { body }),
    query: { ...query, page_size: `${pageSize}`, page_offset: mark },
    headers,
  })
}

/** Far more than any list here has: one that does not end repeats itself. */
const MOST_PAGES = 5_000

/** All pages, from the first to the one without a mark. */
export async function walkList<R>(
  walker: Walker,
  list: ListRequest,
  between: () => Promise<void> = async () => {},
): Promise<readonly ListPage<R>[]> {
  const pages: ListPage<R>[] = []
  for (let mark: string | null = '0'; mark !== null; ) {
    const page: ListPage<R> = await readPage(walker, list, mark)
    pages.push(page)
    mark = page.page.page_mark
    if (pages.length > MOST_PAGES) throw new Error(`the list does not end after ${MOST_PAGES} pages`)
    await between()
  }
  return pages
}

/** Pages that are longer than was asked for, or shorter although more come, or that say something else of themselves. */
export function countMalformed(pages: readonly ListPage<unknown>[], pageSize: number): number {
  return pages.filter(({ hits, page }, at) => {
    const isFull = hits.length === pageSize
    const isRightLength = page.page_mark === null ? hits.length <= pageSize : isFull
    const offset = at === 0 ? '0' : pages[at - 1]!.page.page_mark
    return !(isRightLength && page.page_size === `${pageSize}` && page.page_offset === offset)
  }).length
}
