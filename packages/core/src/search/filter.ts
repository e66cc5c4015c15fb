import { readDate } from './relative-date.ts'

/** Fields of a video that a filter can use, and how they are compared. */
export const filterFields = {
  video_id: 'id',
  series_id: 'id',
  title: 'label',
  source_id: 'label',
  video_source_id: 'label',
  brand_id: 'label',
  status: 'label',
  audio_language: 'label',
  country_origin: 'label',
  content_format: 'label',
  content_type: 'label',
  cut: 'label',
  periodicity: 'label',
  parental_rating: 'label',
  channel_id: 'labels',
  genre: 'labels',
  sub_genre: 'labels',
  keywords: 'labels',
  duration: 'number',
  season_number: 'number',
  episode_number: 'number',
  date_published: 'time',
  date_available: 'time',
  date_expired: 'time',
  date_created: 'time',
  last_updated: 'time',
} as const satisfies Record<string, FieldKind>

/**
 * Text is compared exactly. An `id` is the text of a UUID in lower case, so any other text matches none;
 * `labels` have several values, and one that matches is enough.
 */
export type FieldKind = 'id' | 'label' | 'labels' | 'number' | 'time'
export type FilterField = keyof typeof filterFields
export type Comparison = 'gte' | 'lte' | 'gt' | 'lt'

/** A parsed filter. Times are milliseconds, and `eq` is an `in` with one value. */
export type Filter =
  | { readonly kind: 'and' | 'or'; readonly of: readonly Filter[] }
  | { readonly kind: 'not'; readonly of: Filter }
  | { readonly kind: 'in'; readonly field: FilterField; readonly values: readonly (string | number)[] }
  | {
      readonly kind: 'compare'
      readonly field: FilterField
      readonly op: Comparison
      readonly value: number
    }
  | { readonly kind: 'exists'; readonly field: FilterField }

export type FilterResult = { readonly kind: 'filter'; readonly filter: Filter } | FilterRejection

export interface FilterRejection {
  readonly kind: 'rejected'
  readonly reason: 'too_large' | 'invalid'
  /** JSON pointer into the filter. */
  readonly pointer: string
  /** The rule. */
  readonly message: string
}

/** The fields of a video that filters use, as in the record on the wire. */
export interface FilteredVideo {
  readonly video_id: string
  readonly source_id: string | null
  readonly video_source_id: string | null
  readonly brand_id: string | null
  readonly channel_ids: readonly string[]
  readonly series_id: string | null
  readonly season_number: number | null
  readonly episode_number: number | null
  readonly title: string
  readonly keywords: readonly string[]
  readonly genres: readonly { readonly genre: string; readonly sub_genre: string }[]
  readonly audio_language: string | null
  readonly country_origin: string | null
  readonly content_format: string | null
  readonly content_type: string | null
  readonly cut: string | null
  readonly periodicity: string | null
  readonly parental_rating: string | null
  readonly duration: number
  readonly date_published: string | null
  readonly date_available: string | null
  readonly date_expired: string | null
  readonly date_created: string
  readonly last_updated: string
  readonly status: string
}

/** Limits of the cost of a filter. A leaf has depth one and is one node. */
export const DEPTH_MAXIMUM = 10
export const NODES_MAXIMUM = 100
export const VALUES_MAXIMUM = 500
const FIELDS_MAXIMUM = 20

const operators: readonly string[] = ['and', 'or', 'not', 'in', 'eq', 'gte', 'lte', 'gt', 'lt', 'exists']

/** Parses a filter; relative dates become times by `nowMs`. */
export function readFilter(input: unknown, nowMs: number): FilterResult {
  const excess = findExcess(input)
  if (excess !== undefined) return excess
  const filter = readNode({ value: input, pointer: '' }, nowMs)
  return filter.kind === 'rejected' ? filter : { kind: 'filter', filter }
}

/** Whether a filter is too deep or too large, valid or not. Without recursion: it may have any depth. */
export function isTooLarge(input: unknown): boolean {
  return findExcess(input) !== undefined
}

/** Whether a filter matches a video. The database query must agree. */
export function matchesFilter(filter: Filter, video: FilteredVideo): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.of.every((part) => matchesFilter(part, video))
    case 'or':
      return filter.of.some((part) => matchesFilter(part, video))
    case 'not':
      return !matchesFilter(filter.of, video)
    case 'in':
      return valuesOf(video, filter.field).some((value) => filter.values.includes(value))
    case 'compare':
      return valuesOf(video, filter.field).some((value) => compare[filter.op](Number(value), filter.value))
    default:
      return valuesOf(video, filter.field).some((value) => value !== '')
  }
}

/** A value of unknown type, and its JSON pointer. */
interface Located {
  readonly value: unknown
  readonly pointer: string
}

type Member = Located & { readonly name: string }

function findExcess(input: unknown): FilterRejection | undefined {
  const open: (Located & { readonly depth: number })[] = [{ value: input, pointer: '', depth: 1 }]
  let nodes = 0
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    nodes += 1
    if (nodes > NODES_MAXIMUM) {
      return reject('too_large', '', `must be made of at most ${NODES_MAXIMUM} conditions`)
    }
    if (node.depth > DEPTH_MAXIMUM) {
      return reject('too_large', node.pointer, `must not be nested more than ${DEPTH_MAXIMUM} levels deep`)
    }
    const crowded = membersOf(memberOf(node, 'in')).find(
      ({ value }) => itemsOf(value).length > VALUES_MAXIMUM,
    )
    if (crowded !== undefined) {
      return reject('too_large', crowded.pointer, `must have at most ${VALUES_MAXIMUM} values`)
    }
    for (const part of partsOf(node)) open.push({ ...part, depth: node.depth + 1 })
  }
  return undefined
}

/** The filters directly inside of one: of a list, as many as show that it is too long. */
function partsOf(node: Located): Located[] {
  const lists = [memberOf(node, 'and'), memberOf(node, 'or')]
  const listed = lists.flatMap((list) => locateItems(list, itemsOf(list.value).slice(0, NODES_MAXIMUM)))
  return [memberOf(node, 'not'), ...listed].filter(({ value }) => value !== undefined)
}

type Read = Filter | FilterRejection

function readNode(node: Located, nowMs: number): Read {
  const [member, ...more] = membersOf(node)
  if (member === undefined || more.length > 0 || !operators.includes(member.name)) {
    return reject('invalid', node.pointer, `must have exactly one of ${operators.join(', ')}`)
  }
  switch (member.name) {
    case 'and':
    case 'or':
      return readList(member.name, member, nowMs)
    case 'not': {
      const of = readNode(member, nowMs)
      return of.kind === 'rejected' ? of : { kind: 'not', of }
    }
    case 'exists':
      return isField(member.value) ? { kind: 'exists', field: member.value } : rejectField(member)
    default:
      return readConditions(member.name as Operator, member, nowMs)
  }
}

function readList(kind: 'and' | 'or', list: Located, nowMs: number): Read {
  const parts = locateItems(list, itemsOf(list.value))
  if (parts.length === 0) return reject('invalid', list.pointer, 'must be an array of at least one filter')
  return joined(
    kind,
    parts.map((part) => readNode(part, nowMs)),
  )
}

type Operator = Comparison | 'in' | 'eq'

/** All fields of an operator must match. */
function readConditions(operator: Operator, conditions: Located, nowMs: number): Read {
  const members = membersOf(conditions)
  if (members.length === 0 || members.length > FIELDS_MAXIMUM) {
    const message = `must be an object of one to ${FIELDS_MAXIMUM} fields`
    return reject('invalid', conditions.pointer, message)
  }
  const parts = members.map((member) => readCondition(operator, member, nowMs))
  return parts.length === 1 ? parts[0]! : joined('and', parts)
}

function joined(kind: 'and' | 'or', parts: readonly Read[]): Read {
  const of: Filter[] = []
  for (const part of parts) {
    if (part.kind === 'rejected') return part
    of.push(part)
  }
  return { kind, of }
}

function readCondition(operator: Operator, member: Member, nowMs: number): Read {
  const field = member.name
  if (!isField(field)) return rejectField(member)
  const kind = filterFields[field]
  if (isComparison(operator) && kind !== 'number' && kind !== 'time') {
    return reject('invalid', member.pointer, 'must be used with in or eq, because it has no order')
  }
  const located = operator === 'in' ? locateItems(member, itemsOf(member.value)) : [member]
  if (located.length === 0) return reject('invalid', member.pointer, 'must be an array of at least one value')
  const values = located.map(({ value }) => readValue(kind, value, nowMs))
  const wrong = values.indexOf(undefined)
  if (wrong !== -1) return reject('invalid', located[wrong]!.pointer, `must be ${spelling[kind]}`)
  return isComparison(operator)
    ? { kind: 'compare', field, op: operator, value: values[0] as number }
    : { kind: 'in', field, values: [...new Set(values as (string | number)[])] }
}

function readValue(kind: FieldKind, value: unknown, nowMs: number): string | number | undefined {
  if (kind === 'number') return Number.isFinite(value) ? (value as number) : undefined
  if (typeof value !== 'string') return undefined
  return kind === 'time' ? readDate(value, nowMs) : value
}

const spelling: Readonly<Record<FieldKind, string>> = {
  id: 'a string',
  label: 'a string',
  labels: 'a string',
  number: 'a number',
  time: 'a time in UTC such as 2026-03-01T18:00:00Z, or one relative to now such as now-30d or now-1M/d',
}

const compare: Readonly<Record<Comparison, (one: number, other: number) => boolean>> = {
  gte: (one, other) => one >= other,
  lte: (one, other) => one <= other,
  gt: (one, other) => one > other,
  lt: (one, other) => one < other,
}

/** The values of a field of a video; empty if it has none. */
function valuesOf(video: FilteredVideo, field: FilterField): readonly (string | number)[] {
  switch (field) {
    case 'channel_id':
      return video.channel_ids
    case 'genre':
      return video.genres.map(({ genre }) => genre).filter(Boolean)
    case 'sub_genre':
      return video.genres.map((genre) => genre.sub_genre).filter(Boolean)
    case 'keywords':
      return video.keywords
    default: {
      const value = video[field]
      if (value === null) return []
      return [filterFields[field] === 'time' ? Date.parse(`${value}`) : value]
    }
  }
}

const isComparison = (operator: Operator): operator is Comparison => operator !== 'in' && operator !== 'eq'

const isField = (name: unknown): name is FilterField =>
  typeof name === 'string' && Object.hasOwn(filterFields, name)

const reject = (reason: FilterRejection['reason'], pointer: string, message: string): FilterRejection => ({
  kind: 'rejected',
  reason,
  pointer,
  message,
})

const rejectField = ({ pointer }: Located) =>
  reject('invalid', pointer, `must name one of ${Object.keys(filterFields).join(', ')}`)

function membersOf({ value, pointer }: Located): Member[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return []
  return Object.entries(value).map(([name, member]) => ({
    name,
    value: member,
    pointer: `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
  }))
}

const memberOf = (node: Located, name: string): Located =>
  membersOf(node).find((member) => member.name === name) ?? { value: undefined, pointer: node.pointer }

const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const locateItems = ({ pointer }: Located, items: readonly unknown[]): Located[] =>
  items.map((value, at) => ({ value, pointer: `${pointer}/${at}` }))
