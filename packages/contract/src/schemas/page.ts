import { type TSchema, Type } from 'typebox'
import { defaulted, named, nullable, oneOf, shape } from './shape.ts'

export const PAGE_SIZE_DEFAULT = 30
export const PAGE_SIZE_MAXIMUM = 50

const PageInfo = named(
  'PageInfo',
  shape({
    page_id: nullable(Type.String()),
    page_size: Type.String({ description: 'The requested page_size.' }),
    page_mark: nullable(Type.String({ description: 'Send it as page_offset for the next page.' })),
    page_offset: Type.String({ description: 'The requested page_offset.' }),
  }),
)

export function pageOf<S extends TSchema>(name: string, record: S) {
  return named(name, shape(pageFields(record)))
}

/** A page whose total may have been counted only so far. */
export function countedPageOf<S extends TSchema>(name: string, record: S) {
  const total_relation = Type.Optional(
    oneOf(['eq', 'gte'], { description: '`gte` where counting stopped at 10,000.' }),
  )
  return named(name, shape({ ...pageFields(record), total_relation }))
}

function pageFields<S extends TSchema>(record: S) {
  return {
    hits: Type.Array(record),
    page: PageInfo,
    total: Type.Integer({ minimum: 0, description: 'How many there are on all pages.' }),
  }
}

const pageSize = defaulted(
  Type.Integer({ minimum: 1, maximum: PAGE_SIZE_MAXIMUM, description: 'Most results on a page.' }),
  PAGE_SIZE_DEFAULT,
)

/** Paging by the mark of the previous page. */
export const markPaging = {
  page_size: pageSize,
  page_offset: Type.Optional(
    Type.String({
      maxLength: 2_048,
      description: 'The page_mark of the previous page; left out, or `0`, for the first.',
    }),
  ),
}

/** Paging by a number. */
export const offsetPaging = {
  page_size: pageSize,
  page_offset: defaulted(Type.Integer({ minimum: 0, description: 'Results to pass over.' }), 0),
}
