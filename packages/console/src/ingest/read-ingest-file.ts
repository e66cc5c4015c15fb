import { type DraftItem, emptyItem, type IngestDraft, itemOf, textOf } from './ingest-draft.ts'

export type FileResult =
  | {
      readonly kind: 'read'
      readonly change: Partial<IngestDraft>
      /** Columns that no field has. */
      readonly unused: readonly string[]
    }
  | { readonly kind: 'rejected'; readonly text: string }

const rejected = (text: string): FileResult => ({ kind: 'rejected', text })

/** A program of a JSON file, or the items of a JSON or CSV file. */
export function readIngestFile(name: string, text: string): FileResult {
  return /\.csv$/i.test(name) ? readItems(text) : readDocument(text)
}

function readDocument(text: string): FileResult {
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    return rejected(`This is neither valid JSON nor a file that ends in .csv: ${(error as Error).message}`)
  }
  if (Array.isArray(value)) return { kind: 'read', change: { items: itemsOf(value) }, unused: [] }
  if (!isRecord(value) || !Array.isArray(value['videos'])) {
    return rejected('It has no list of videos. See POST /automation/schedule in the reference of the API.')
  }
  const schedule = isRecord(value['schedule']) ? value['schedule'] : {}
  const startMs = Date.parse(textOf(schedule['start_time']))
  const lengthMs = Number(schedule['duration_ms'])
  const fields = [
    'linear_channel_id',
    'source_id',
    'brand_id',
    'program_title',
    'program_description',
  ] as const
  const given = fields.filter((field) => textOf(value[field]) !== '')
  return {
    kind: 'read',
    change: {
      ...Object.fromEntries(given.map((field) => [field, textOf(value[field])])),
      ...(Number.isNaN(startMs) ? {} : { start: new Date(startMs).toISOString().slice(0, 19) }),
      ...(lengthMs > 0 ? { minutes: String(lengthMs / 60_000) } : {}),
      items: itemsOf(value['videos']),
    },
    unused: [],
  }
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const itemsOf = (values: readonly unknown[]): readonly DraftItem[] => values.filter(isRecord).map(itemOf)

const columns = [
  'type',
  'video_source_id',
  'title',
  'description',
  'keywords',
  'date_published',
  'image_url',
  'video_url',
  'duration',
  'audio_language',
  'country_origin',
  'content_format',
  'content_type',
  'cut',
  'periodicity',
  'parental_rating',
]
const genreColumns = ['genre', 'sub_genre']

/** A row for each item; the first row names the columns, in any order. */
function readItems(text: string): FileResult {
  const result = readCsv(text)
  if (result.kind === 'rejected') return rejected(`Line ${result.line}: ${result.fault}.`)
  const [head, ...rows] = result.rows
  if (head === undefined) return rejected('The file is empty.')
  const names = head.values.map((value) => value.trim().toLowerCase())
  const missing = ['video_source_id', 'title', 'video_url', 'duration'].filter(
    (name) => !names.includes(name),
  )
  if (missing.length > 0) return rejected(`Its first line has no column ${missing.join(', ')}.`)
  const long = rows.find(({ values }) => values.length > names.length)
  if (long !== undefined) {
    return rejected(`Line ${long.line} has ${long.values.length} values for ${names.length} columns.`)
  }
  return {
    kind: 'read',
    change: {
      items: rows.map(({ values }) =>
        rowItem(Object.fromEntries(names.map((name, at) => [name, values[at] ?? '']))),
      ),
    },
    unused: names.filter((name) => !columns.includes(name) && !genreColumns.includes(name)),
  }
}

function rowItem(row: Readonly<Record<string, string>>): DraftItem {
  if (row['type']?.trim() === 'AD_POD') return { ...emptyItem('AD_POD'), duration: row['duration'] ?? '' }
  const given = columns.flatMap((name): [string, string][] => {
    const value = row[name]
    return value === undefined || value === '' ? [] : [[name, value]]
  })
  const genres = genreColumns.flatMap((name): [string, string][] => {
    const value = row[name]
    return value === undefined || value === '' ? [] : [[name, value]]
  })
  return itemOf({
    ...Object.fromEntries(given),
    type: 'VIDEO',
    ...(genres.length === 0 ? {} : { genres: [Object.fromEntries(genres)] }),
  })
}

interface CsvRow {
  /** The line of the file on which it begins, from 1. */
  readonly line: number
  readonly values: readonly string[]
}

type CsvResult =
  | { readonly kind: 'rows'; readonly rows: readonly CsvRow[] }
  | { readonly kind: 'rejected'; readonly line: number; readonly fault: string }

/** A value and what ends it: a comma, a line break, or the end of the file. */
const VALUE = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y

/** Parses CSV by RFC 4180, with any line breaks. Empty lines are skipped. */
function readCsv(text: string): CsvResult {
  const rows: CsvRow[] = []
  // Excel writes a byte order mark.
  const csv = text.replace(/^\uFEFF/, '')
  let values: string[] = []
  let line = 1
  let startLine = 1
  for (let at = 0; at < csv.length || values.length > 0; ) {
    VALUE.lastIndex = at
    const found = VALUE.exec(csv)
    if (found === null) {
      const fault = csv[at] === '"' ? 'a quoted value has no end' : 'a quote inside of a value'
      return { kind: 'rejected', line, fault }
    }
    const [all, quoted, plain = '', end] = found
    at += all.length
    line += all.split(/\r\n|\n|\r/).length - 1
    values.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end === ',') continue
    if (values.length > 1 || all !== end) rows.push({ line: startLine, values })
    values = []
    startLine = line
  }
  return { kind: 'rows', rows }
}
