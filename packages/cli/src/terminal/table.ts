/** A table with aligned columns. The last one is not padded. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return align([head, ...rows])
}

/** One record, one line per field. */
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

/** Titles are untrusted: replaces control characters by a box. */
export const printable = (text: string) => text.replaceAll(/[\p{Cc}\u2028\u2029]/gu, '□')
