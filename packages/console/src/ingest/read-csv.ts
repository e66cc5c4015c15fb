interface CsvRow {
  /** The line of the file on which it begins, from 1. */
  readonly line: number
  readonly values: readonly string[]
}

export type CsvResult =
  | { readonly kind: 'rows'; readonly rows: readonly CsvRow[] }
  | { readonly kind: 'rejected'; readonly line: number; readonly fault: string }

/** A value and what ends it: a comma, a line break, or the end of the file. */
const VALUE = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y

/** Parses CSV by RFC 4180, with any line breaks. Empty lines are skipped. */
export function readCsv(text: string): CsvResult {
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
