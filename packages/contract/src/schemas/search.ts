import { Type } from 'typebox'
import { named, oneOf, shape } from './shape.ts'

type Scalar = string | number | boolean

/** Conditions on fields, and ways to join them. The server limits depth and size. */
export interface SearchFilter {
  readonly and?: readonly SearchFilter[]
  readonly or?: readonly SearchFilter[]
  readonly not?: SearchFilter
  readonly in?: Readonly<Record<string, readonly Scalar[]>>
  readonly eq?: Readonly<Record<string, Scalar>>
  readonly gte?: Readonly<Record<string, Scalar>>
  readonly lte?: Readonly<Record<string, Scalar>>
  readonly gt?: Readonly<Record<string, Scalar>>
  readonly lt?: Readonly<Record<string, Scalar>>
  readonly exists?: string
}

const scalar = Type.Union([Type.String({ maxLength: 255 }), Type.Number(), Type.Boolean()])
const byField = (schema: object) => ({
  type: 'object',
  minProperties: 1,
  maxProperties: 20,
  additionalProperties: schema,
})
const self = { $ref: '#/components/schemas/SearchFilter' }
const conditions = { type: 'array', minItems: 1, maxItems: 100, items: self }

export const SearchFilterSchema = named(
  'SearchFilter',
  Type.Unsafe<SearchFilter>({
    type: 'object',
    description: 'One condition: exactly one of its members. `and`, `or` and `not` nest, to a depth of 10.',
    additionalProperties: false,
    minProperties: 1,
    maxProperties: 1,
    properties: {
      and: { ...conditions, description: 'All of them.' },
      or: { ...conditions, description: 'At least one of them (ours).' },
      not: self,
      in: byField({ type: 'array', minItems: 1, maxItems: 500, items: scalar }),
      eq: byField(scalar),
      gte: byField(scalar),
      lte: byField(scalar),
      gt: byField(scalar),
      lt: byField(scalar),
      exists: { type: 'string', maxLength: 64, description: 'The field has a value (ours).' },
    },
  }),
)

export const searchableFields = ['title', 'description', 'keywords', 'series_title'] as const
export const videoSortFields = [
  'date_published',
  'date_created',
  'last_updated',
  'date_available',
  'date_expired',
  'title',
  'duration',
] as const

export const SearchBody = named(
  'SearchBody',
  shape({
    query: Type.Optional(
      Type.String({
        maxLength: 1_000,
        description:
          'Words that must all match; `"a phrase"` matches adjacent words, `-word` excludes. Empty matches all.',
      }),
    ),
    fields: Type.Optional(
      Type.Array(oneOf(searchableFields), { maxItems: 4, description: 'Fields searched; empty means all.' }),
    ),
    filter: Type.Optional(SearchFilterSchema),
    sort: Type.Optional(
      shape({
        field: oneOf(videoSortFields),
        order: Type.Optional(oneOf(['ASC', 'DESC', 'asc', 'desc'])),
      }),
    ),
  }),
)
