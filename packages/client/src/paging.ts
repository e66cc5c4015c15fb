import type { Endpoint } from '@continuity/contract'
import type { AnyInput } from './request.ts'

export interface AnyPage {
  readonly hits: readonly unknown[]
  readonly page: { readonly page_mark: string | null }
}

export function isPage(value: unknown): value is AnyPage {
  if (typeof value !== 'object' || value === null || !('hits' in value) || !('page' in value)) return false
  const { hits, page } = value
  return Array.isArray(hits) && typeof page === 'object' && page !== null && 'page_mark' in page
}

/** The pages from the requested one to the last, each fetched on demand. */
export async function* pagesOf(
  paging: NonNullable<Endpoint['paging']>,
  input: AnyInput,
  fetchPage: (input: AnyInput) => Promise<AnyPage>,
): AsyncGenerator<AnyPage, void, undefined> {
  let query = input.query ?? {}
  const seen = new Set([String(query.page_offset ?? 0)])
  for (;;) {
    const page = await fetchPage({ ...input, query })
    yield page
    const mark = page.page.page_mark
    if (mark === null) return
    // Following it again would be an endless loop.
    if (seen.has(mark)) throw new Error(`The service returned the page mark ${JSON.stringify(mark)} twice`)
    seen.add(mark)
    query = { ...query, page_offset: paging === 'offset' ? Number(mark) : mark }
  }
}

export async function* hitsOf(pages: AsyncIterable<AnyPage>): AsyncGenerator<unknown, void, undefined> {
  for await (const page of pages) yield* page.hits
}
