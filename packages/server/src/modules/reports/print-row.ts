import type { ReportFormat } from './report-columns.ts'
import type { Row } from './schedule-reports.ts'

/** Prints a row in the same way as the database does for other reports. */
export function printRow(row: Row, format: ReportFormat): string {
  if (format === 'csv') return `${Object.values(row).map(printField).join(',')}\r\n`
  return `${format === 'json' ? ',' : ''}${JSON.stringify(row)}\n`
}

/** RFC 4180; an empty text is quoted and a missing one is not, as in PostgreSQL. */
function printField(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  return value === '' || /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}
