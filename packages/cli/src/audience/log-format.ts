/** The fields that are read from a line of an access log. */
export const logFields = [
  'date',
  'time',
  'method',
  'status',
  'path',
  'query',
  'sid',
  'shift_ms',
  'cmcd',
  'cmcd_headers',
  'country',
] as const

export type LogField = (typeof logFields)[number]

/** Returns the fields of a line; undefined if it cannot be parsed. */
export type ParseLine = (line: string) => Partial<Record<LogField, string>> | undefined

export interface LogFormat {
  readonly parseLine: ParseLine
  readonly timeUnit: TimeUnit
}

const timeUnits = ['seconds', 'milliseconds', 'iso'] as const
type TimeUnit = (typeof timeUnits)[number]

/** `log_format continuity_viewer` of the nginx configuration that we ship. */
export const nginxFormat: LogFormat = {
  timeUnit: 'seconds',
  parseLine: jsonLineParser({
    time: 'msec',
    method: 'method',
    status: 'status',
    path: 'path',
    sid: 'sid',
    shift_ms: 'shift_ms',
    cmcd: 'cmcd',
    cmcd_headers: 'cmcd_headers',
    country: 'country',
  }),
}

/** Parses the mapping file of another log format; returns what is wrong with it if it is invalid. */
export function readMapping(text: string): LogFormat | { readonly fault: string } {
  const mapping = parseObject(text)
  if (mapping === undefined) return { fault: 'is not a JSON object.' }
  const unit = timeUnits.find((it) => it === mapping['time_unit'])
  if (unit === undefined) return { fault: `is invalid: time_unit must be one of ${timeUnits.join(', ')}.` }
  const { fields, pattern } = mapping
  if ((fields === undefined) === (pattern === undefined))
    return { fault: 'must have either fields or pattern.' }
  if (typeof pattern === 'string') return fromPattern(pattern, unit)
  return fromFields(fields, unit)
}

function fromPattern(pattern: string, timeUnit: TimeUnit): LogFormat | { readonly fault: string } {
  let expression: RegExp
  try {
    expression = new RegExp(pattern, 'v')
  } catch (error) {
    return { fault: `has a pattern that is not a regular expression: ${(error as Error).message}` }
  }
  const groups = [...pattern.matchAll(/\(\?<(\w+)>/g)].map(([, name]) => name!)
  const unknown = groups.find((name) => !isLogField(name))
  if (unknown !== undefined)
    return { fault: `has a group "${unknown}" in its pattern, which is not a known field.` }
  const missing = missingOf(groups)
  if (missing !== undefined) return { fault: `has no group "${missing}" in its pattern.` }
  return { timeUnit, parseLine: (line) => expression.exec(line)?.groups }
}

function fromFields(fields: unknown, timeUnit: TimeUnit): LogFormat | { readonly fault: string } {
  const entries = Object.entries(fields ?? {})
  const unknown = entries.find(([name, key]) => !isLogField(name) || typeof key !== 'string')
  if (unknown !== undefined) return { fault: `has a field "${unknown[0]}" that is unknown or has no name.` }
  const missing = missingOf(entries.map(([name]) => name))
  if (missing !== undefined) return { fault: `has no field "${missing}".` }
  return { timeUnit, parseLine: jsonLineParser(Object.fromEntries(entries)) }
}

const isLogField = (name: string): name is LogField => (logFields as readonly string[]).includes(name)

const missingOf = (names: readonly string[]): LogField | undefined =>
  (['time', 'method', 'status', 'path'] as const).find((name) => !names.includes(name))

function jsonLineParser(names: Partial<Record<LogField, string>>): ParseLine {
  const pairs = Object.entries(names) as (readonly [LogField, string])[]
  return (line) => {
    const object = parseObject(line)
    if (object === undefined) return undefined
    const parsed: Partial<Record<LogField, string>> = {}
    for (const [name, key] of pairs) {
      const value = object[key]
      if (typeof value === 'string' || typeof value === 'number') parsed[name] = String(value)
    }
    return parsed
  }
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}
