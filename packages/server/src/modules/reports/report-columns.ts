/** A column of a report, and the SQL that gives it. */
export interface Column {
  readonly name: string
  readonly sql: string
  /** A `text` may contain anything; a `word` contains nothing that JSON or CSV would escape. */
  readonly kind: 'text' | 'word' | 'number'
  /** The same for many rows that follow each other: it is made once for all of them. */
  readonly isShared?: boolean
}

export type ReportFormat = 'json' | 'csv' | 'ndjson'

/**
 * The rows of a report as the database prints them, ready to be sent. In JSON each begins with a comma. The statement is made by
 * `fromOf`, which inserts a join that makes the shared parts before the rows are multiplied.
 */
export function printedRows(
  columns: readonly Column[],
  fromOf: (makeShared: string) => string,
  format: ReportFormat,
): string {
  const shared: string[] = []
  const parts = partsOf(columns, format).map(({ isShared, sql }) =>
    isShared ? `shared.part_${shared.push(sql)}` : sql,
  )
  const from = fromOf(joinOf(shared))
  if (format === 'csv') return `copy (select ${parts.join(', ')} ${from}) to stdout (format csv)`
  const row = `'${format === 'json' ? ',' : ''}{' || ${parts.join(' || ')} || '}'`
  // Characters that JSON never contains: nothing is quoted.
  return `copy (select ${row} ${from}) to stdout (format csv, quote E'\\x01', delimiter E'\\x02')`
}

/** Values in CSV; in JSON texts of members, where neighbours that are shared are one. */
function partsOf(columns: readonly Column[], format: ReportFormat) {
  const parts: { readonly isShared: boolean; readonly sql: string }[] = []
  for (const [at, column] of columns.entries()) {
    const isShared = column.isShared === true
    if (format === 'csv') {
      parts.push({ isShared, sql: column.sql })
      continue
    }
    const sql = `'${at === 0 ? '' : ','}"${column.name}":' || ${printed(column)}`
    const last = parts.at(-1)
    if (last?.isShared === true && isShared)
      parts[parts.length - 1] = { isShared, sql: `${last.sql} || ${sql}` }
    else parts.push({ isShared, sql })
  }
  return parts
}

/** With `offset 0` it is not merged into the statement, which would make it for every row. */
const joinOf = (shared: readonly string[]): string =>
  shared.length === 0
    ? ''
    : `cross join lateral (select ${shared.map((sql, at) => `${sql} as part_${at + 1}`).join(', ')} offset 0) shared`

const printed = ({ sql, kind }: Column): string => {
  if (kind === 'number') return `coalesce((${sql})::text, 'null')`
  if (kind === 'text') return `coalesce(to_json(${sql})::text, 'null')`
  return `coalesce('"' || (${sql}) || '"', 'null')`
}

/** The first line of a CSV. Names have nothing to quote. */
export const csvHeader = (columns: readonly Pick<Column, 'name'>[]): string =>
  `${columns.map(({ name }) => name).join(',')}\r\n`
