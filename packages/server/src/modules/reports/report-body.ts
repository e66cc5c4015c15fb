import type { Snapshot } from '../../platform/database/copy-out.ts'
import { type AudienceReport, methodSums } from './audience-reports.ts'
import { DAY_MS, type DayRange } from './day-range.ts'
import { csvHeader, printedRows, type ReportFormat } from './report-columns.ts'
import type { Row, ScheduleReport } from './schedule-reports.ts'

/** Minutes of a report by the method by which they were measured. */
export interface MinutesByMethod {
  readonly cmcd_v2: number
  readonly cmcd_v1: number
  readonly heartbeat: number
}

export interface BodyOptions {
  readonly range: DayRange
  readonly format: ReportFormat
}

export interface AudienceBodyOptions extends BodyOptions {
  readonly accountId: string
  readonly snapshot: Snapshot
  /** Called before the end. */
  readonly onMethods: (minutes: MinutesByMethod) => void
}

/** A day at a time, so that the first rows come early and little is sorted at once. */
export async function* audienceBody(
  report: AudienceReport,
  { range, format, accountId, snapshot, onMethods }: AudienceBodyOptions,
): AsyncGenerator<Buffer | string> {
  yield opening(range, format, report.columns)
  let isFirst = format === 'json'
  for (const dayMs of range.daysMs) {
    const fromOf = (makeShared: string) => report.fromOf(accountId, dayMs, makeShared)
    const query = printedRows(report.columns, fromOf, format)
    for await (const rows of snapshot.copy(query, format === 'csv' ? '\r\n' : '\n')) {
      yield isFirst ? rows.subarray(1) : rows
      isFirst = false
    }
  }
  const { watchedOnly, hasMethods } = report
  const minutes =
    watchedOnly === null ? undefined : await readMethods(snapshot, watchedOnly, accountId, range)
  if (minutes !== undefined) onMethods(minutes)
  if (format === 'json') yield hasMethods ? `],"minutes_by_method":${JSON.stringify(minutes)}}\n` : ']}\n'
}

async function readMethods(
  snapshot: Snapshot,
  condition: string,
  accountId: string,
  { daysMs }: DayRange,
): Promise<MinutesByMethod> {
  const query = methodSums(condition, accountId, daysMs[0]!, daysMs.at(-1)! + DAY_MS)
  let text = ''
  for await (const bytes of snapshot.copy(query, '\n')) text += bytes.toString()
  const [cmcd_v2, cmcd_v1, heartbeat] = text.split(',').map((ms) => Math.round(Number(ms) / 60) / 1_000)
  return { cmcd_v2: cmcd_v2!, cmcd_v1: cmcd_v1!, heartbeat: heartbeat! }
}

export async function* scheduleBody(
  report: ScheduleReport,
  rows: AsyncIterable<readonly Row[]>,
  { range, format }: BodyOptions,
): AsyncGenerator<string> {
  yield opening(
    range,
    format,
    report.columns.map((name) => ({ name })),
  )
  let isFirst = format === 'json'
  for await (const some of rows) {
    const text = some.map((row) => printRow(row, format)).join('')
    if (text !== '') yield isFirst ? text.slice(1) : text
    isFirst &&= text === ''
  }
  if (format === 'json') yield ']}\n'
}

function opening(
  { from, to }: DayRange,
  format: ReportFormat,
  columns: readonly { readonly name: string }[],
): string {
  if (format === 'json') return `{"from":"${from}","to":"${to}","rows":[`
  return format === 'csv' ? csvHeader(columns) : ''
}

/** Prints a row in the same way as the database does for other reports. */
function printRow(row: Row, format: ReportFormat): string {
  if (format === 'csv') return `${Object.values(row).map(printField).join(',')}\r\n`
  return `${format === 'json' ? ',' : ''}${JSON.stringify(row)}\n`
}

/** RFC 4180; an empty text is quoted and a missing one is not, as in PostgreSQL. */
function printField(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  return value === '' || /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}
