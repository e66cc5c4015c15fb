import type { Position } from './json-text.ts'

/** One value of a row, and where it begins in the file. */
export interface CsvValue extends Position {
  readonly text: string
}
export interface CsvRow {
  /** The line of the file on which it begins, from 1. */
  readonly line: number
  readonly values: readonly CsvValue[]
}
export type CsvResult =
  | { readonly kind: 'rows'; readonly rows: readonly CsvRow[] }
  | { readonly kind: 'rejected'; readonly fault: string; readonly position: Position }

/** A value that is not quoted ends at a comma or a line break. */
const PLAIN = /[^",\r\n]*/y
const QUOTED = /"[^"]*(?:""[^"]*)*"/y
const BREAK = /\r\n|\n|\r/y
const BREAKS = /\r\n|\n|\r/g

/** Parses CSV by RFC 4180, with any line breaks. Empty lines are skipped. */
export function readCsv(text: string): CsvResult {
  const rows: CsvRow[] = []
  // Excel writes a byte order mark.
  let at = text.startsWith('\uFEFF') ? 1 : 0
  let line = 1
  let lineStart = at
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    if (found === undefined) return undefined
    for (const { 0: ending, index } of found.matchAll(BREAKS)) {
      line += 1
      lineStart = at + index + ending.length
    }
    at += found.length
    return found
  }
  let values: CsvValue[] = []
  let startLine = 1
  while (at < text.length || values.length > 0) {
    const position = { line, column: at - lineStart + 1 }
    const isQuoted = text[at] === '"'
    const raw = take(isQuoted ? QUOTED : PLAIN)
    if (raw === undefined) return { kind: 'rejected', fault: 'a quoted value has no end', position }
    values.push({ text: isQuoted ? raw.slice(1, -1).replaceAll('""', '"') : raw, ...position })
    if (text[at] === ',') {
      at += 1
      continue
    }
    const end = { line, column: at - lineStart + 1 }
    if (at < text.length && take(BREAK) === undefined)
      return { kind: 'rejected', fault: 'expected a comma or the end of the line', position: end }
    const isEmpty = values.length === 1 && raw === ''
    if (!isEmpty) rows.push({ line: startLine, values })
    values = []
    startLine = line
  }
  return { kind: 'rows', rows }
}

/** One row, with the line break that RFC 4180 has. */
export const csvRow = (values: readonly string[]): string => `${values.map(printValue).join(',')}\r\n`

/** A value with spaces at its ends is quoted because some programs trim it. */
const printValue = (value: string): string =>
  /[",\r\n]|^\s|\s$/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
