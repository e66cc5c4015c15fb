import { isTooLong, shortenLine } from './log-line.ts'
import { createLogWriter, type LogWriter } from './log-writer.ts'

export const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/** Fields that are JSON already, each after a comma: for the line that every request writes. */
export class PrintedFields {
  readonly json: string

  constructor(json: string) {
    this.json = json
  }
}

/** Writes a line: a message, with or without fields. A field named `err` may hold any thrown value. */
export interface Write {
  (message: string): void
  (fields: Fields | PrintedFields, message: string): void
}
export type Fields = Readonly<Record<string, unknown>>
export type Logger = Readonly<Record<Exclude<LogLevel, 'silent'>, Write>>

export interface Log {
  readonly logger: Logger
  /** Writes everything buffered. */
  flush(): void
  droppedLines(): number
}

const STANDARD_OUTPUT = 1

/** JSON lines on standard output, buffered for up to 100 ms. */
export function createLog(options: { level: LogLevel; process: string; instance: string }): Log {
  const writer = createLogWriter(STANDARD_OUTPUT)
  const base = { process: options.process, instance: options.instance }
  const logger = createLogger({ level: options.level, base, write: writer.write })
  return { logger, flush: writer.flushSync, droppedLines: writer.droppedLines }
}

/** A logger that passes its lines to `write`. */
export function createLogger(options: { level: LogLevel; base: Fields; write: LogWriter['write'] }): Logger {
  const printTime = createTimestamp()
  const base = inside(options.base)
  const least = logLevels.indexOf(options.level)

  const writerOf = (level: LogLevel): Write => {
    if (logLevels.indexOf(level) < least) return () => {}
    const head = `{"level":"${level}","time":"`
    return (first: Fields | PrintedFields | string, message?: string) => {
      const fields =
        typeof first === 'string' ? '' : first instanceof PrintedFields ? first.json : inside(first)
      const text = JSON.stringify(typeof first === 'string' ? first : message)
      const line = `${head}${printTime()}"${base}${fields},"msg":${text}}\n`
      options.write(isTooLong(line) ? shortenLine(line) : line)
    }
  }
  return {
    debug: writerOf('debug'),
    info: writerOf('info'),
    warn: writerOf('warn'),
    error: writerOf('error'),
  }
}

/** The members of an object as JSON, to append to others. */
function inside(fields: Fields): string {
  const text = print(fields)
  return text === '{}' ? '' : `,${text.slice(1, -1)}`
}

/** Logging must not fail its caller. */
function print(fields: Fields): string {
  try {
    return JSON.stringify(fields['err'] === undefined ? fields : { ...fields, err: describe(fields['err']) })
  } catch (error) {
    return JSON.stringify({ unprintable: String(error) })
  }
}

/** An error with its type, its stack and its causes, up to three levels deep. */
function describe(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return { message: String(error) }
  const { name, message, stack, cause } = error
  const code = (error as { code?: unknown }).code
  return {
    type: name,
    message,
    ...(typeof code === 'string' ? { code } : {}),
    stack,
    ...(cause === undefined || depth === 3 ? {} : { cause: describe(cause, depth + 1) }),
  }
}

/** Caches the printed time: many lines share a millisecond, and printing a date costs as much as the rest of a line. */
function createTimestamp(): () => string {
  let printedMs = 0
  let printed = ''
  return () => {
    const nowMs = Date.now()
    if (nowMs !== printedMs) {
      printedMs = nowMs
      printed = new Date(nowMs).toISOString()
    }
    return printed
  }
}
