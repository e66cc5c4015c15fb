import type { Endpoint } from '@continuity/contract'
import type { Api } from '../access/call.ts'
import { done } from '../access/session.ts'
import type { SessionHeaders } from './catalog-system.ts'

/** The parts of a request that select a list. */
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

/** A reader, with its page size. */
export interface PageReader {
  readonly api: Api
  readonly headers: SessionHeaders
  readonly pageSize: number
}

/** Reads one page; throws unless it succeeds. */
export async function readPage<R>(
  { api, headers, pageSize }: PageReader,
  { operation, params, query, body }: ListRequest,
  cursor: string,
): Promise<ListPage<R>> {
  return done(api, operation, {
    ...(params === undefined ? {} : { params }),
    ...(body === undefined ? {} : { body }),
    query: { ...query, page_size: `${pageSize}`, page_offset: cursor },
    headers,
  })
}

/** More than any list here has: a list with more repeats itself. */
const MOST_PAGES = 5_000

/** All pages, from the first to the one without a cursor. */
export async function walkList<R>(
  reader: PageReader,
  list: ListRequest,
  between: () => Promise<void> = async () => {},
): Promise<readonly ListPage<R>[]> {
  const pages: ListPage<R>[] = []
  for (let cursor: string | null = '0'; cursor !== null; ) {
    const page: ListPage<R> = await readPage(reader, list, cursor)
    pages.push(page)
    cursor = page.page.page_mark
    if (pages.length > MOST_PAGES) throw new Error(`the list does not end after ${MOST_PAGES} pages`)
    await between()
  }
  return pages
}

/** Pages that are too long, too short before the last, or have the wrong size or offset in `page`. */
export function countMalformed(pages: readonly ListPage<unknown>[], pageSize: number): number {
  return pages.filter(({ hits, page }, at) => {
    const isFull = hits.length === pageSize
    const isRightLength = page.page_mark === null ? hits.length <= pageSize : isFull
    const offset = at === 0 ? '0' : pages[at - 1]!.page.page_mark
    return !(isRightLength && page.page_size === `${pageSize}` && page.page_offset === offset)
  }).length
}
