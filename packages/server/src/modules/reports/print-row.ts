import type { ReportFormat } from './report-columns.ts'
import type { Row } from './schedule-reports.ts'

/** A row as the database prints those of other reports. */
export function printRow(row: Row, format: ReportFormat): string {
  if (format === 'csv') return `${Object.values(row).map(printField).join(',')}\r\n`
  return `${format === 'json' ? ',' : ''}${JSON.stringify(row)}\n`
}

/** RFC 4180; a text that is empty is told from one that is not there, as PostgreSQL does it. */
function printField(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  return value === '' || /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}
