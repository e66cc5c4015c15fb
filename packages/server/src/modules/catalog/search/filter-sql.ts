import type { Comparison, Filter, FilterField } from '@continuity/core/search/filter'
import { type RawBuilder, sql } from 'kysely'
import { isId, lowestIdAt } from '../../../platform/crypto/ids.ts'
import { FIRST_MS, LAST_MS, LAST_NUMBER } from '../records/video-document.ts'

type Condition = RawBuilder<boolean>
type Values = readonly (string | number)[]

/** The conditions on a field of a video, `v`. Each is true or false, never null. */
interface Column {
  isIn(values: Values): Condition
  compares?(op: Comparison, value: number): Condition
  exists(): Condition
}

/** A filter as a condition on the row of a video, `v`. */
export function filterSql(filter: Filter): Condition {
  switch (filter.kind) {
    case 'and':
      return sql`(${sql.join(filter.of.map(filterSql), sql` and `)})`
    case 'or':
      return sql`(${sql.join(filter.of.map(filterSql), sql` or `)})`
    case 'not':
      return sql`(not ${filterSql(filter.of)})`
    case 'in':
      return columns[filter.field].isIn(filter.values)
    case 'exists':
      return columns[filter.field].exists()
    default: {
      const { compares } = columns[filter.field]
      if (compares === undefined) throw new Error(`${filter.field} cannot be compared`)
      return compares(filter.op, filter.value)
    }
  }
}

const operators = { gte: '>=', lte: '<=', gt: '>', lt: '<' } as const satisfies Record<Comparison, string>

const NEVER: Condition = sql`false`

/** A column that is not null. */
const text = (name: string): Column => ({
  isIn: (values) => sql`${of(name)} = any(${[...values]}::text[])`,
  exists: () => sql`${of(name)} <> ''`,
})

const textOrNull = (name: string): Column => ({
  isIn: (values) => sql`(${of(name)} is not null and ${of(name)} = any(${[...values]}::text[]))`,
  exists: () => sql`(${of(name)} is not null and ${of(name)} <> '')`,
})

const texts = (name: string): Column => ({
  isIn: (values) => sql`${of(name)} && ${[...values]}::text[]`,
  exists: () => sql`cardinality(${of(name)}) > 0`,
})

const id = (name: string): Column => ({
  isIn: (values) => {
    const ids = values.filter((value) => isId(String(value)))
    return ids.length === 0 ? NEVER : sql`(${of(name)} is not null and ${of(name)} = any(${ids}::uuid[]))`
  },
  exists: () => sql`${of(name)} is not null`,
})

/** A column of integers, with `none` for a record without a value. */
const wholeNumber = (name: string, type: 'integer' | 'bigint', none: number | undefined): Column => {
  const [lowest, highest] = type === 'integer' ? [-2_147_483_648, LAST_NUMBER] : [FIRST_MS - 1, LAST_MS + 1]
  const hasValue = none === undefined ? sql`true` : sql`${of(name)} <> ${none}`
  return {
    isIn: (values) => {
      const possible = values.filter(
        (value) => Number.isSafeInteger(value) && Number(value) >= lowest && Number(value) <= highest,
      )
      return sql`(${of(name)} = any(${possible}::${sql.raw(type)}[]) and ${hasValue})`
    },
    compares: (op, value) => {
      const isRoundedUp = op === 'gte' || op === 'lt'
      const whole = isRoundedUp ? Math.ceil(value) : Math.floor(value)
      const bound = Math.min(Math.max(whole, lowest), highest)
      return sql`(${of(name)} ${sql.raw(operators[op])} ${bound}::${sql.raw(type)} and ${hasValue})`
    },
    exists: () => sql`(${hasValue})`,
  }
}

/** The time that a video's id begins with. */
const timeOfId: Column = {
  // One array, however many values: the number of parameters of a statement is limited.
  isIn: (values) => {
    const possible = values.map(Number).filter((atMs) => atMs >= 0 && atMs <= ID_MS_MAXIMUM)
    const beginnings = possible.map(idBeginning)
    return sql`left(v.video_id::text, ${sql.lit(ID_TIME_LENGTH)}) = any(${beginnings}::text[])`
  },
  compares: (op, value) => {
    const from = idFrom(op === 'gt' || op === 'lte' ? Math.floor(value) + 1 : Math.ceil(value))
    return op === 'gte' || op === 'gt' ? from : sql`(not ${from})`
  },
  exists: () => sql`true`,
}

/** An id begins with 48 bits of time: twelve digits and the hyphen between them. */
const ID_MS_MAXIMUM = 2 ** 48 - 1
const ID_TIME_LENGTH = 13

const idBeginning = (atMs: number): string => {
  const digits = atMs.toString(16).padStart(12, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8)}`
}

const idFrom = (atMs: number): Condition => {
  if (atMs > ID_MS_MAXIMUM) return NEVER
  return sql`v.video_id >= ${lowestIdAt(Math.max(atMs, 0))}::uuid`
}

const of = (name: string) => sql.ref(`v.${name}`)

const columns: Readonly<Record<FilterField, Column>> = {
  video_id: id('video_id'),
  series_id: id('series_id'),
  title: text('title'),
  status: text('status'),
  source_id: textOrNull('source_id'),
  video_source_id: textOrNull('video_source_id'),
  brand_id: textOrNull('brand_id'),
  audio_language: textOrNull('audio_language'),
  country_origin: textOrNull('country_origin'),
  content_format: textOrNull('content_format'),
  content_type: textOrNull('content_type'),
  cut: textOrNull('cut'),
  periodicity: textOrNull('periodicity'),
  parental_rating: textOrNull('parental_rating'),
  channel_id: texts('channel_ids'),
  genre: texts('genres'),
  sub_genre: texts('sub_genres'),
  keywords: texts('keywords'),
  duration: wholeNumber('duration', 'integer', undefined),
  season_number: wholeNumber('season_order', 'integer', LAST_NUMBER),
  episode_number: wholeNumber('episode_order', 'integer', LAST_NUMBER),
  date_published: wholeNumber('published_ms', 'bigint', FIRST_MS),
  date_available: wholeNumber('available_ms', 'bigint', FIRST_MS),
  date_expired: wholeNumber('expired_ms', 'bigint', LAST_MS),
  date_created: timeOfId,
  last_updated: wholeNumber('updated_ms', 'bigint', undefined),
}
