import type { BodyOf, Operations } from '@continuity/contract'
import type { CatalogVideo } from './random-catalog.ts'

/** A filter as it is sent. */
export type SearchFilter = NonNullable<BodyOf<Operations['searchVideos']>['filter']>

/**
 * A filter as data. The code under test does not read it: it is printed for the request, and evaluated over the
 * records, by the functions below.
 */
export type FilterTree =
  | { readonly kind: 'and' | 'or'; readonly of: readonly FilterTree[] }
  | { readonly kind: 'not'; readonly of: FilterTree }
  | { readonly kind: 'exists'; readonly field: Field }
  | { readonly kind: LeafOperator; readonly conditions: readonly Condition[] }

export type LeafOperator = 'in' | 'eq' | Comparison
type Comparison = 'gte' | 'lte' | 'gt' | 'lt'

/** All conditions of a leaf have to hold. `in` may have several values, the other operators have one. */
export interface Condition {
  readonly field: Field
  readonly values: readonly Value[]
}

/** A value as it is sent, and what it means: a date is sent as text and means a time in milliseconds. */
export interface Value {
  readonly sent: string | number
  readonly meant: string | number
}

/** Every field that can be filtered by, and how it is compared; written by hand. */
export const fields = {
  video_id: 'text',
  series_id: 'text',
  title: 'text',
  source_id: 'text',
  video_source_id: 'text',
  brand_id: 'text',
  status: 'text',
  audio_language: 'text',
  country_origin: 'text',
  content_format: 'text',
  content_type: 'text',
  cut: 'text',
  periodicity: 'text',
  parental_rating: 'text',
  channel_id: 'text',
  genre: 'text',
  sub_genre: 'text',
  keywords: 'text',
  duration: 'number',
  season_number: 'number',
  episode_number: 'number',
  date_published: 'time',
  date_available: 'time',
  date_expired: 'time',
  date_created: 'time',
  last_updated: 'time',
} as const

export type Field = keyof typeof fields

/** As a client sends it. */
export function printTree(tree: FilterTree): SearchFilter {
  switch (tree.kind) {
    case 'and':
    case 'or':
      return { [tree.kind]: tree.of.map(printTree) }
    case 'not':
      return { not: printTree(tree.of) }
    case 'exists':
      return { exists: tree.field }
    default: {
      const sent = tree.conditions.map(({ field, values }) => {
        const all = values.map((value) => value.sent)
        return [field, tree.kind === 'in' ? all : all[0]]
      })
      return { [tree.kind]: Object.fromEntries(sent) }
    }
  }
}

/** Whether a video passes the filter. */
export function passes(tree: FilterTree, video: CatalogVideo): boolean {
  switch (tree.kind) {
    case 'and':
      return tree.of.every((part) => passes(part, video))
    case 'or':
      return tree.of.some((part) => passes(part, video))
    case 'not':
      return !passes(tree.of, video)
    case 'exists':
      return valuesIn(video, tree.field).some((value) => value !== '')
    default:
      return tree.conditions.every(({ field, values }) =>
        valuesIn(video, field).some((own) => values.some(({ meant }) => holds[tree.kind](own, meant))),
      )
  }
}

const holds: Readonly<Record<LeafOperator, (own: string | number, meant: string | number) => boolean>> = {
  in: (own, meant) => own === meant,
  eq: (own, meant) => own === meant,
  gte: (own, meant) => own >= meant,
  lte: (own, meant) => own <= meant,
  gt: (own, meant) => own > meant,
  lt: (own, meant) => own < meant,
}

/** The values of a field, times in milliseconds. An empty genre counts as none. */
function valuesIn(video: CatalogVideo, field: Field): readonly (string | number)[] {
  const shown = shownIn(video, field)
  if (fields[field] === 'time') return shown.map((date) => Date.parse(String(date)))
  return field === 'genre' || field === 'sub_genre' ? shown.filter((genre) => genre !== '') : shown
}

/** The values of a field as a client reads them. */
export function shownIn({ record }: CatalogVideo, field: Field): readonly (string | number)[] {
  switch (field) {
    case 'channel_id':
      return record.channel_ids
    case 'genre':
      return record.genres.map(({ genre }) => genre)
    case 'sub_genre':
      return record.genres.map(({ sub_genre }) => sub_genre)
    case 'keywords':
      return record.keywords
    default: {
      const value = record[field]
      return value === null ? [] : [value]
    }
  }
}

/** The operators of a filter, with their fields. */
export function* usesOf(tree: FilterTree): Generator<{ operator: string; field: Field | undefined }> {
  switch (tree.kind) {
    case 'and':
    case 'or':
      yield { operator: tree.kind, field: undefined }
      for (const part of tree.of) yield* usesOf(part)
      return
    case 'not':
      yield { operator: 'not', field: undefined }
      yield* usesOf(tree.of)
      return
    case 'exists':
      yield { operator: 'exists', field: tree.field }
      return
    default:
      for (const { field } of tree.conditions) yield { operator: tree.kind, field }
  }
}
