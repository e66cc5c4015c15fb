import type { Report, Row, Value } from './report-list.ts'

/** A report may have millions of rows. The table has the first, the sums have all. */
export const ROWS_MAXIMUM = 5_000

/** What was read of a report. */
export interface ReadReport {
  readonly rows: readonly Row[]
  readonly rowCount: number
  readonly total: number
  /** By the start of the hour or day, in milliseconds. */
  readonly byTime: ReadonlyMap<number, number>
  /** By the values of each field that has a chart. */
  readonly byField: ReadonlyMap<string, ReadonlyMap<string, number>>
}

const HOUR_MS = 3_600_000

/** Reads a report of one JSON object a line as it arrives. Fails if it ends too early. */
export async function readRows(
  report: Pick<Report, 'measure' | 'charts'>,
  body: ReadableStream<Uint8Array>,
): Promise<ReadReport> {
  const rows: Row[] = []
  let rowCount = 0
  let total = 0
  const byTime = new Map<number, number>()
  const byField = new Map((report.charts ?? []).map((field) => [field, new Map<string, number>()]))
  for await (const line of linesOf(body)) {
    const row = JSON.parse(line) as Row
    rowCount += 1
    if (rows.length < ROWS_MAXIMUM) rows.push(row)
    if (report.measure === undefined) continue
    const amount = Number(row[report.measure.field] ?? 0)
    total += amount
    const hourMs = Math.floor(Date.parse(String(row['timestamp'])) / HOUR_MS) * HOUR_MS
    byTime.set(hourMs, (byTime.get(hourMs) ?? 0) + amount)
    for (const [field, sums] of byField) {
      if (!(field in row)) continue
      const key = keyOf(row[field])
      sums.set(key, (sums.get(key) ?? 0) + amount)
    }
  }
  return { rows, rowCount, total, byTime, byField }
}

const keyOf = (value: Value | undefined): string =>
  value === null || value === undefined ? '' : String(value)

export async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      const lines = (rest + decoder.decode(value, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) if (line !== '') yield line
    }
    if (rest !== '') yield rest
  } finally {
    reader.releaseLock()
  }
}
