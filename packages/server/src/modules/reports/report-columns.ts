/** A column of a report, and the SQL that gives it. */
export interface Column {
  readonly name: string
  readonly sql: string
  /** A `text` may contain anything; a `word` contains nothing that JSON or CSV would escape. */
  readonly kind: 'text' | 'word' | 'number'
}

export type ReportFormat = 'json' | 'csv' | 'ndjson'

/**
 * The rows of a report as the database prints them, ready to be sent. In JSON each begins with a comma.
 */
export function printedRows(columns: readonly Column[], from: string, format: ReportFormat): string {
  if (format === 'csv') {
    const values = columns.map(({ sql }) => sql).join(', ')
    return `copy (select ${values} ${from}) to stdout (format csv)`
  }
  const members = columns.map(
    (column, at) => `'${at === 0 ? '' : ','}"${column.name}":' || ${printed(column)}`,
  )
  const row = `'${format === 'json' ? ',' : ''}{' || ${members.join(' || ')} || '}'`
  // Characters that JSON never contains: nothing is quoted.
  return `copy (select ${row} ${from}) to stdout (format csv, quote E'\\x01', delimiter E'\\x02')`
}

const printed = ({ sql, kind }: Column): string => {
  if (kind === 'number') return `coalesce((${sql})::text, 'null')`
  if (kind === 'text') return `coalesce(to_json(${sql})::text, 'null')`
  return `coalesce('"' || (${sql}) || '"', 'null')`
}

/** The first line of a CSV. Names have nothing to quote. */
export const csvHeader = (columns: readonly Pick<Column, 'name'>[]): string =>
  `${columns.map(({ name }) => name).join(',')}\r\n`
