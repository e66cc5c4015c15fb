import { isTimeZone } from '../alerts/quiet-hours.ts'
import { readFilter } from '../search/filter.ts'
import { readDate } from '../search/relative-date.ts'
import type { Block, BreakPolicy, Content, Filling, PlanRules, Separation, Starts } from './plan-rules.ts'
import { DEFAULT_RULE, orders, starts, weekdays } from './plan-rules.ts'
import {
  type Fault,
  flag,
  integer,
  list,
  object,
  oneOf,
  optional,
  required,
  text,
  textUpTo,
} from './read-fields.ts'

export type PlanRulesResult =
  | { readonly kind: 'rules'; readonly rules: PlanRules }
  | { readonly kind: 'rejected'; readonly faults: readonly Fault[] }

/** A document with more faults than this is wrong altogether. */
const FAULTS_MAXIMUM = 50
const WEEK_MINUTES = 7 * 24 * 60

/** Checks the rules of a channel and fills in defaults. All faults are reported together. */
export function readPlanRules(input: unknown): PlanRulesResult {
  const faults: Fault[] = []
  const document = readDocument(input, '', faults)
  if (faults.length > 0) return { kind: 'rejected', faults: faults.slice(0, FAULTS_MAXIMUM) }
  const { starts, breaks } = document
  const blocks = document.blocks.map(
    (block): Block => ({ ...block, starts: block.starts ?? starts, breaks: block.breaks ?? breaks }),
  )
  const rules = { ...document, blocks }
  faults.push(...findFaultsBetweenFields(rules))
  return faults.length > 0
    ? { kind: 'rejected', faults: faults.slice(0, FAULTS_MAXIMUM) }
    : { kind: 'rules', rules }
}

const id = textUpTo(64)
const timeOfDay = text('a time of day such as 20:00', (value) => /^([01]\d|2[0-3]):[0-5]\d$/.test(value))
const localDate = text('a date such as 2026-12-24', isDate)
const moment = text(
  'a time in UTC such as 2026-03-01T18:00:00Z',
  (value) => !value.startsWith('now') && readDate(value, 0) !== undefined,
)

const readBreaks = object({
  at: optional(oneOf<BreakPolicy['at']>(['NONE', 'BETWEEN', 'CUE_POINTS']), 'NONE'),
  every_minutes: optional(integer(1, 1_440), 15),
  length_seconds: optional(integer(1, 600), 120),
  most_per_hour: optional<number | null>(integer(1, 60), null),
  from_start_minutes: optional(integer(0, 1_440), 3),
  from_end_minutes: optional(integer(0, 1_440), 3),
  before_playlist_id: optional<string | null>(id, null),
  after_playlist_id: optional<string | null>(id, null),
})

const noBreaks = readBreaks({}, '', [])

const contentFields = {
  series_ids: optional<readonly string[] | null>(list(id, 1, 200), null),
  playlist_id: optional<string | null>(id, null),
  filter: optional<unknown>(readContentFilter, null),
  block_id: optional<string | null>(id, null),
}

const fillingFields = {
  content: required(readContent),
  order: required(oneOf(orders)),
  track: optional(id, 'main'),
  at_end: optional(oneOf<Filling['at_end']>(['REPEAT', 'STOP']), 'REPEAT'),
  title: optional<string | null>(textUpTo(200), null),
}

const timeFields = { from: required(timeOfDay), to: required(timeOfDay) }
const daysField = optional(list(oneOf(weekdays), 1, 7), weekdays)

const readBlock = object({
  id: required(id),
  ...fillingFields,
  priority: optional(integer(-1_000, 1_000), 0),
  days: daysField,
  first_date: optional<string | null>(localDate, null),
  last_date: optional<string | null>(localDate, null),
  times: required(list(object(timeFields), 1, 48)),
  starts: optional<Starts | null>(oneOf(starts), null),
  breaks: optional<BreakPolicy | null>(readBreaks, null),
  most: optional<number | null>(integer(1, 1_000), null),
  rest: optional(oneOf<Block['rest']>(['DEFAULT', 'FILL']), 'DEFAULT'),
})

const readDocument = object({
  time_zone: required(text('an IANA time zone such as Europe/Berlin', isTimeZone)),
  horizon_days: optional(integer(1, 60), 14),
  blocks: optional(list(readBlock, 0, 200), []),
  default: optional<Filling | null>(object(fillingFields), null),
  starts: optional(oneOf(starts), 'NONE'),
  breaks: optional(readBreaks, noBreaks),
  separation: optional(
    list(
      object({
        by: required(oneOf<Separation['by']>(['VIDEO', 'SERIES', 'KEYWORD'])),
        keyword: optional<string | null>(textUpTo(200), null),
        minutes: required(integer(1, WEEK_MINUTES)),
        strict: optional(flag, false),
      }),
      0,
      20,
    ),
    [],
  ),
  ratings: optional(
    list(
      object({
        ...timeFields,
        days: daysField,
        allowed: required(list(textUpTo(64), 0, 100)),
        unrated: optional(flag, false),
      }),
      0,
      50,
    ),
    [],
  ),
  availability: optional(
    list(
      object({
        series_id: optional<string | null>(id, null),
        video_id: optional<string | null>(id, null),
        keyword: optional<string | null>(textUpTo(200), null),
        from: optional<string | null>(moment, null),
        until: optional<string | null>(moment, null),
      }),
      0,
      500,
    ),
    [],
  ),
})

function readContent(value: unknown, pointer: string, faults: Fault[]): Content {
  const fields = object(contentFields)(value, pointer, faults)
  const given = Object.entries(fields).filter(([, each]) => each !== null)
  if (given.length !== 1) {
    faults.push({ pointer, message: `must have exactly one of ${Object.keys(contentFields).join(', ')}` })
  }
  return Object.fromEntries(given.slice(0, 1)) as unknown as Content
}

function readContentFilter(value: unknown, pointer: string, faults: Fault[]): unknown {
  const result = readFilter(value, 0)
  if (result.kind === 'rejected') {
    faults.push({ pointer: `${pointer}${result.pointer}`, message: result.message })
  }
  return value
}

/** What is wrong although every field is right. */
function findFaultsBetweenFields(rules: PlanRules): Fault[] {
  const ids = rules.blocks.map((block) => block.id)
  const faults = rules.blocks.flatMap((block, at) => {
    const pointer = `/blocks/${at}`
    const faults = [...findFillingFaults(block, pointer, ids)]
    if (ids.indexOf(block.id) !== at || block.id === DEFAULT_RULE) {
      const message = `must be unique and not ${DEFAULT_RULE}`
      faults.push({ pointer: `${pointer}/id`, message })
    }
    if (block.first_date !== null && block.last_date !== null && block.last_date < block.first_date) {
      faults.push({ pointer: `${pointer}/last_date`, message: 'must not be before first_date' })
    }
    if ('block_id' in block.content && block.content.block_id === block.id) {
      faults.push({ pointer: `${pointer}/content/block_id`, message: 'must be the id of another block' })
    }
    return faults
  })
  if (rules.default !== null) faults.push(...findFillingFaults(rules.default, '/default', ids))
  for (const [at, { by, keyword }] of rules.separation.entries()) {
    if ((by === 'KEYWORD') === (keyword !== null)) continue
    const message = 'is required if by is KEYWORD, and only then'
    faults.push({ pointer: `/separation/${at}/keyword`, message })
  }
  for (const [at, window] of rules.availability.entries()) {
    faults.push(...findAvailabilityFaults(window, `/availability/${at}`))
  }
  return faults
}

function findFillingFaults(
  { content, order }: Pick<Block, 'content' | 'order'>,
  pointer: string,
  ids: readonly string[],
): Fault[] {
  const faults: Fault[] = []
  if ('block_id' in content && !ids.includes(content.block_id)) {
    faults.push({ pointer: `${pointer}/content/block_id`, message: 'must be the id of a block' })
  }
  if (order === 'REPLAY' && !('block_id' in content)) {
    faults.push({ pointer: `${pointer}/content`, message: 'must be a block_id if order is REPLAY' })
  }
  return faults
}

function findAvailabilityFaults(window: PlanRules['availability'][number], pointer: string): Fault[] {
  const { series_id, video_id, keyword, from, until } = window
  const faults: Fault[] = []
  if ([series_id, video_id, keyword].filter((each) => each !== null).length !== 1) {
    faults.push({ pointer, message: 'must have exactly one of series_id, video_id, keyword' })
  }
  if (from === null && until === null) {
    faults.push({ pointer, message: 'must have from, until or both' })
  } else if (from !== null && until !== null && Date.parse(until) <= Date.parse(from)) {
    faults.push({ pointer: `${pointer}/until`, message: 'must be after from' })
  }
  return faults
}

/** The parser reads 30 February as 2 March; printing the result detects this. */
function isDate(value: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(value)) return false
  const ms = Date.parse(`${value}T00:00:00Z`)
  return Number.isFinite(ms) && new Date(ms).toISOString().startsWith(value)
}
