import type { TextField } from '@continuity/core/search/search-terms'
import type { VideoSortField } from '../../packages/server/src/modules/catalog/records/video-sort.ts'
import type { Draw } from '../draw.ts'
import type { FilterTree } from './filter-tree.ts'
import { type CatalogVideo, NOW_MS } from './random-catalog.ts'
import { someFilter } from './random-filter.ts'
import { someFields, someQuery } from './random-query.ts'

/** A search, and the time for which it shows only public videos; null for a client that sees all. */
export interface Search {
  readonly query: string
  readonly fields: readonly TextField[]
  readonly filter: FilterTree | undefined
  readonly sort: { readonly field: VideoSortField; readonly order: 'ASC' | 'DESC' } | undefined
  readonly shownMs: number | null
}

const sortFields: readonly VideoSortField[] = [
  'date_published',
  'date_created',
  'last_updated',
  'date_available',
  'date_expired',
  'title',
  'duration',
]

/** Every search has a filter; a third also have words. */
export function someSearch(draw: Draw, videos: readonly CatalogVideo[]): Search {
  const hasWords = draw.chance(0.33)
  return {
    filter: someFilter(draw, videos),
    query: hasWords ? someQuery(draw, videos) : '',
    fields: hasWords ? someFields(draw) : [],
    sort: draw.chance(0.5) ? { field: draw.one(sortFields), order: draw.one(['ASC', 'DESC']) } : undefined,
    shownMs: draw.chance(0.25) ? NOW_MS + draw.one([0, 1, -1]) : null,
  }
}
