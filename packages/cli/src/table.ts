/** Columns side by side, for people. The last one is not padded. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return align([head, ...rows])
}

/** One record, a line for each of its fields. */
export function fields(entries: readonly (readonly [string, string])[]): string {
  return align(entries)
}

function align(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map(printable))
  const columns = Math.max(...cells.map((row) => row.length))
  const widths = Array.from({ length: columns - 1 }, (_, column) =>
    Math.max(...cells.map((row) => row[column]?.length ?? 0)),
  )
  return cells
    .map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
    .join('\n')
}

/** A title is a stranger's text: what would steer the terminal is shown as a box. */
export const printable = (text: string) => text.replaceAll(/[\p{Cc}\u2028\u2029]/gu, '□')
