import { type CsvRow, readCsv } from '../terminal/csv.ts'
import { type Position, readJson } from '../terminal/json-text.ts'
import { columns, type Item, type ProgramDraft, readItem, readTime } from './program-draft.ts'

/** What is wrong, and where in the file. */
export interface Fault extends Position {
  /** JSON pointer; a CSV file has none. */
  readonly pointer?: string
  readonly message: string
}

/** One program of a file. */
export interface ProgramRow {
  readonly draft: ProgramDraft
  readonly startMs: number
  /** Undefined if it ends with its last item. */
  readonly endMs: number | undefined
  /** A fault of one of its fields, or of all of it. */
  fault(message: string, field?: keyof ProgramDraft): Fault
}

export interface ProgramFile {
  readonly rows: readonly ProgramRow[]
  /** Of rows that are not among them. */
  readonly faults: readonly Fault[]
}

type Fields = { readonly [K in keyof ProgramDraft]?: unknown }
type Where = (field?: string) => Position & { readonly pointer?: string }

/** The programs of a CSV file: a header with names of columns, in any order, and one program per row. */
export function readCsvPrograms(text: string): ProgramFile {
  const csv = readCsv(text)
  if (csv.kind === 'rejected') return rejected({ ...csv.position, message: `${csv.fault}.` })
  const [header, ...rows] = csv.rows
  const names = header?.values.map((it) => it.text.trim()) ?? []
  const unknown = header?.values.find((it) => !columns.some((name) => name === it.text.trim()))
  const start = { line: header?.line ?? 1, column: 1 }
  if (unknown !== undefined)
    return rejected({
      ...unknown,
      message: `unknown column "${unknown.text}"; columns: ${columns.join(',')}.`,
    })
  const missing = ['start_time', 'title', 'items'].filter((name) => !names.includes(name))
  if (missing.length > 0) return rejected({ ...start, message: `the header has no ${missing.join(', ')}.` })
  if (new Set(names).size < names.length)
    return rejected({ ...start, message: 'the header has a column twice.' })
  return collect(rows.map((row) => readCsvRow(row, names)))
}

function readCsvRow({ line, values }: CsvRow, names: readonly string[]): ProgramRow | readonly Fault[] {
  if (values.length !== names.length)
    return [{ line, column: 1, message: `has ${values.length} values, but ${names.length} columns.` }]
  const fields = Object.fromEntries(names.map((name, at) => [name, values[at]!.text]))
  const where: Where = (field) => {
    const { line: atLine, column } = values[field === undefined ? 0 : Math.max(0, names.indexOf(field))]!
    return { line: atLine, column }
  }
  const items = (fields['items'] ?? '').split(/\s+/).filter(Boolean).map(readItem)
  const faults = items.flatMap((it) =>
    'fault' in it ? [{ ...where('items'), message: `items: ${it.fault}.` }] : [],
  )
  if (faults.length > 0) return faults
  const { end_time: end, description, ...rest } = fields
  return readDraft(
    {
      ...rest,
      items,
      ...(end === undefined || end === '' ? {} : { end_time: end }),
      ...(description === undefined || description === '' ? {} : { description }),
    },
    where,
  )
}

/** The programs of a JSON file: an array of what `POST …/programs` takes. */
export function readJsonPrograms(text: string): ProgramFile {
  const json = readJson(text)
  if (json.kind === 'rejected')
    return rejected({ ...json.position, message: `This is not JSON: ${json.fault}.` })
  const { value, positionOf } = json
  if (!Array.isArray(value))
    return rejected({ ...positionOf(''), pointer: '', message: 'This is not an array of programs.' })
  return collect(
    value.map((it: unknown, at) => {
      const where: Where = (field) => {
        const pointer = field === undefined ? `/${at}` : `/${at}/${field}`
        return { ...positionOf(pointer), pointer }
      }
      return isRecord(it) ? readDraft(it, where) : [{ ...where(), message: 'is not an object.' }]
    }),
  )
}

const TITLE_LENGTH = 255
const DESCRIPTION_LENGTH = 10_000
const ITEMS_MAXIMUM = 1_000
const SHORTEST_MS = 1_000
const LONGEST_MS = 7 * 86_400_000

/** The rules of the API, so that all rows are checked before the first is sent. */
function readDraft(
  fields: Fields & Readonly<Record<string, unknown>>,
  where: Where,
): ProgramRow | readonly Fault[] {
  const faults: Fault[] = []
  const fail = (field: string, message: string) =>
    void faults.push({ ...where(field), message: `${field} ${message}` })
  const time = (field: 'start_time' | 'end_time'): string | undefined => {
    const given = fields[field]
    const result = readTime(typeof given === 'string' ? given : '')
    if ('value' in result) return result.value
    fail(field, result.fault)
    return undefined
  }
  for (const name of Object.keys(fields))
    if (!columns.some((known) => known === name)) fail(name, 'is not a field of a program.')
  const startTime = time('start_time')
  const endTime = fields['end_time'] === undefined ? undefined : time('end_time')
  const { title, description = '', items } = fields
  if (typeof title !== 'string' || title === '' || title.length > TITLE_LENGTH)
    fail('title', `must have 1 to ${TITLE_LENGTH} characters.`)
  if (typeof description !== 'string' || description.length > DESCRIPTION_LENGTH)
    fail('description', `must have at most ${DESCRIPTION_LENGTH} characters.`)
  if (!Array.isArray(items) || items.length === 0 || items.length > ITEMS_MAXIMUM)
    fail('items', `must be 1 to ${ITEMS_MAXIMUM} items.`)
  else
    for (const [at, item] of (items as readonly unknown[]).entries())
      if (!isItem(item))
        fail(`items/${at}`, 'must have a video_id, a playlist_id, or the type AD_POD and a duration.')
  const startMs = Date.parse(startTime ?? '')
  const endMs = endTime === undefined ? undefined : Date.parse(endTime)
  if (endMs !== undefined && (endMs - startMs < SHORTEST_MS || endMs - startMs > LONGEST_MS))
    fail('end_time', 'must be 1 second to 7 days after start_time.')
  if (faults.length > 0) return faults
  const draft: ProgramDraft = {
    title: title as string,
    ...(description === '' ? {} : { description: description as string }),
    start_time: startTime!,
    ...(endTime === undefined ? {} : { end_time: endTime }),
    items: items as Item[],
  }
  return { draft, startMs, endMs, fault: (message, field) => ({ ...where(field), message }) }
}

/** The service validates the values of an item. */
function isItem(item: unknown): boolean {
  if (!isRecord(item)) return false
  const { video_id: video, playlist_id: playlist, type, duration } = item
  return (
    (typeof video === 'string' && video !== '') ||
    (typeof playlist === 'string' && playlist !== '') ||
    (type === 'AD_POD' && typeof duration === 'number' && duration >= 1)
  )
}

const rejected = ({ line, column, pointer, message }: Fault): ProgramFile => ({
  rows: [],
  faults: [{ line, column, ...(pointer === undefined ? {} : { pointer }), message }],
})

const collect = (read: readonly (ProgramRow | readonly Fault[])[]): ProgramFile => ({
  rows: read.filter((it): it is ProgramRow => !Array.isArray(it)),
  faults: read.flatMap((it) => (Array.isArray(it) ? (it as readonly Fault[]) : [])),
})

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
