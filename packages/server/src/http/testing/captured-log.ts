import { createLogger, type Logger } from '../../platform/log/logger.ts'

export type LogLine = Readonly<Record<string, unknown>>

export interface CapturedLog {
  readonly logger: Logger
  lines(): LogLine[]
  /** Everything written, as in a log file. */
  text(): string
  /** The first line that matches, as soon as it is written. */
  find(matches: (line: LogLine) => boolean): Promise<LogLine>
}

/** A logger that keeps all lines, of every level. */
export function aCapturedLog(): CapturedLog {
  const written: string[] = []
  const waiting = new Set<() => void>()
  const write = (text: string) => {
    written.push(text)
    for (const check of waiting) check()
  }
  const lines = () => written.map((text) => JSON.parse(text) as LogLine)
  return {
    logger: createLogger({ level: 'debug', base: {}, write }),
    lines,
    text: () => written.join(''),
    find: (matches) =>
      new Promise((resolve) => {
        const check = () => {
          const line = lines().find(matches)
          if (line === undefined) return
          waiting.delete(check)
          resolve(line)
        }
        waiting.add(check)
        check()
      }),
  }
}
