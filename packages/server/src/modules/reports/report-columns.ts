/** A column of a report, and the SQL that gives it. */
export interface Column {
  readonly name: string
  readonly sql: string
  /** A `text` may contain anything; a `word` contains nothing that JSON or CSV would escape. */
  readonly kind: 'text' | 'word' | 'number'
  /** The same for many rows that follow each other: in JSON it is printed once for all of them. */
  readonly isShared?: boolean
}

export type ReportFormat = 'json' | 'csv' | 'ndjson'

/**
 * The rows of a report as the database prints them, ready to be sent. In JSON each begins with a comma. The statement is made by
 * `fromOf`, which inserts a join that prints the shared columns before the rows are multiplied.
 */
export function printedRows(
  columns: readonly Column[],
  fromOf: (printShared: string) => string,
  format: ReportFormat,
): string {
  if (format === 'csv') {
    const values = columns.map(({ sql }) => sql).join(', ')
    return `copy (select ${values} ${fromOf('')}) to stdout (format csv)`
  }
  const members = columns.map((column, at) => ({
    isShared: column.isShared === true,
    sql: `'${at === 0 ? '' : ','}"${column.name}":' || ${printed(column)}`,
  }))
  const shared: string[] = []
  const parts = groupBy(members).map(({ isShared, sqls }) => {
    const sql = sqls.join(' || ')
    return isShared ? `shared.part_${shared.push(sql)}` : sql
  })
  const row = `'${format === 'json' ? ',' : ''}{' || ${parts.join(' || ')} || '}'`
  // Characters that JSON never contains: nothing is quoted.
  return `copy (select ${row} ${fromOf(joinOf(shared))}) to stdout (format csv, quote E'\\x01', delimiter E'\\x02')`
}

/** With `offset 0` it is not merged into the statement, which would print it for every row. */
const joinOf = (shared: readonly string[]): string =>
  shared.length === 0
    ? ''
    : `cross join lateral (select ${shared.map((sql, at) => `${sql} as part_${at + 1}`).join(', ')} offset 0) shared`

/** Neighbours that are both shared, or both not. */
function groupBy(members: readonly { readonly isShared: boolean; readonly sql: string }[]) {
  const groups: { readonly isShared: boolean; readonly sqls: string[] }[] = []
  for (const { isShared, sql } of members) {
    const last = groups.at(-1)
    if (last?.isShared === isShared) last.sqls.push(sql)
    else groups.push({ isShared, sqls: [sql] })
  }
  return groups
}

const printed = ({ sql, kind }: Column): string => {
  if (kind === 'number') return `coalesce((${sql})::text, 'null')`
  if (kind === 'text') return `coalesce(to_json(${sql})::text, 'null')`
  return `coalesce('"' || (${sql}) || '"', 'null')`
}

/** The first line of a CSV. Names have nothing to quote. */
export const csvHeader = (columns: readonly Pick<Column, 'name'>[]): string =>
  `${columns.map(({ name }) => name).join(',')}\r\n`
