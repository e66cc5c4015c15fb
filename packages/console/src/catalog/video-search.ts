import type { BodyOf, Operations } from '@continuity/contract'

type SearchBody = BodyOf<Operations['searchVideos']>
type Condition = NonNullable<SearchBody['filter']>
type Sort = NonNullable<SearchBody['sort']>

/** What is searched, each empty for everything. It is in the address: it can be shared and survives a reload. */
export interface VideoSearch {
  readonly text: string
  readonly status: string
  readonly series: string
  readonly channel: string
  readonly genre: string
  readonly length: string
  readonly sort: string
}

const fields = ['text', 'status', 'series', 'channel', 'genre', 'length', 'sort'] as const

export const lengths: Readonly<Record<string, { readonly label: string; readonly conditions: Condition[] }>> =
  {
    short: { label: 'Under 5 minutes', conditions: [{ lt: { duration: 300 } }] },
    medium: {
      label: '5 to 40 minutes',
      conditions: [{ gte: { duration: 300 } }, { lt: { duration: 2_400 } }],
    },
    long: {
      label: '40 to 80 minutes',
      conditions: [{ gte: { duration: 2_400 } }, { lt: { duration: 4_800 } }],
    },
    feature: { label: '80 minutes and more', conditions: [{ gte: { duration: 4_800 } }] },
  }

/** Without one, the best matches come first. */
export const sorts: Readonly<Record<string, { readonly label: string; readonly sort: Sort }>> = {
  title: { label: 'Title', sort: { field: 'title', order: 'ASC' } },
  newest: { label: 'Newest', sort: { field: 'date_created', order: 'DESC' } },
  changed: { label: 'Last changed', sort: { field: 'last_updated', order: 'DESC' } },
  shortest: { label: 'Shortest', sort: { field: 'duration', order: 'ASC' } },
  longest: { label: 'Longest', sort: { field: 'duration', order: 'DESC' } },
}

export function searchOf(query: URLSearchParams): VideoSearch {
  const [text, status, series, channel, genre, length, sort] = fields.map((field) => query.get(field) ?? '')
  return { text, status, series, channel, genre, length, sort } as VideoSearch
}

export function addressOf(search: Partial<VideoSearch>): string {
  const given = fields.flatMap((field): [string, string][] => {
    const value = search[field]
    return value === undefined || value === '' ? [] : [[field, value]]
  })
  return `/catalog/videos${given.length === 0 ? '' : `?${new URLSearchParams(given)}`}`
}

export const isNarrowed = ({ sort: _sort, ...narrowing }: VideoSearch): boolean =>
  Object.values(narrowing).some((value) => value !== '')

/** The body of the request. */
export function bodyOf({ text, status, series, channel, genre, length, sort }: VideoSearch): SearchBody {
  const labels = { status, series_id: series, channel_id: channel, genre }
  const conditions: Condition[] = [
    ...Object.entries(labels).flatMap(([field, value]) => (value === '' ? [] : [{ eq: { [field]: value } }])),
    ...(lengths[length]?.conditions ?? []),
  ]
  const order = sorts[sort]?.sort
  return {
    query: text,
    ...(conditions.length === 0 ? {} : { filter: { and: conditions } }),
    ...(order === undefined ? {} : { sort: order }),
  }
}
