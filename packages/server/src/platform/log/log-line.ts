/** The longest log line with its line break: the limit of common log collectors. */
export const LINE_BYTES = 16 * 1024

/** A UTF-16 unit takes at most three bytes, so most lines need no byte count. */
export const isTooLong = (line: string): boolean =>
  line.length * 3 > LINE_BYTES && Buffer.byteLength(line) > LINE_BYTES

/** Maximum string lengths, tried one after another until a line fits: the longest strings are truncated first. */
const STRING_LENGTHS = [8_192, 4_096, 2_048, 1_024, 512, 256, 128, 64]

/**
 * Truncates the strings of a line that is too long, or leaves out its longest fields where that is not enough. The
 * result is JSON with its level, time and message, and `truncated: true`.
 */
export function shortenLine(line: string): string {
  try {
    const record = { ...(JSON.parse(line) as Record<string, unknown>), ...parseHead(line) }
    for (const length of STRING_LENGTHS) {
      const shorter = print({ ...truncate(record, length), truncated: true })
      if (!isTooLong(shorter)) return shorter
    }
    return print(withoutLongest(truncate(record, STRING_LENGTHS.at(-1)!)))
  } catch {
    // Nested too deep for a recursive function, or fields printed by the caller that are not JSON.
    return print({ ...parseHead(line), msg: 'unreadable log line', truncated: true })
  }
}

const print = (record: object): string => `${JSON.stringify(record)}\n`

function truncate<T>(value: T, length: number): T {
  if (typeof value === 'string') return (value.length <= length ? value : cut(value, length)) as T
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((inside) => truncate<unknown>(inside, length)) as T
  const entries = Object.entries(value).map(([name, inside]) => [name, truncate<unknown>(inside, length)])
  return Object.fromEntries(entries) as T
}

/** An emoji split by the cut is left out: half a surrogate pair is invalid text. */
const cut = (text: string, length: number) => `${text.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…`

/** A message of the shortest length, the level and the time take some hundred bytes, so they always fit. */
const ALWAYS = new Set(['level', 'time', 'msg'])

function withoutLongest(record: Record<string, unknown>): object {
  const lengthOf = ([name, value]: readonly [string, unknown]) =>
    Buffer.byteLength(JSON.stringify({ [name]: value }))
  const rankOf = (entry: readonly [string, unknown]) => (ALWAYS.has(entry[0]) ? 0 : lengthOf(entry))
  let left = LINE_BYTES - print({ truncated: true }).length
  const kept = new Set<string>()
  for (const entry of Object.entries(record).toSorted((a, b) => rankOf(a) - rankOf(b))) {
    left -= lengthOf(entry)
    if (left < 0) break
    kept.add(entry[0])
  }
  return { ...Object.fromEntries(Object.entries(record).filter(([name]) => kept.has(name))), truncated: true }
}

/** The start of each line, which the logger writes itself. */
function parseHead(line: string): object {
  const [, level, time] = /^\{"level":"(\w+)","time":"([^"]+)"/.exec(line) ?? []
  return { level, time }
}
