import { createLogger, type Logger } from '../../platform/logger.ts'

export type LogLine = Readonly<Record<string, unknown>>

export interface CapturedLog {
  readonly logger: Logger
  lines(): LogLine[]
  /** Everything written, as it would stand in a file. */
  text(): string
  /** The first line that matches, as soon as it is there. */
  find(matches: (line: LogLine) => boolean): Promise<LogLine>
}

/** A logger that keeps what it is given, every level of it. */
export function aCapturedLog(): CapturedLog {
  const written: string[] = []
  const waiting = new Set<() => void>()
  const write = (text: string) => {
    written.push(text)
    for (const look of waiting) look()
  }
  const lines = () => written.map((text) => JSON.parse(text) as LogLine)
  return {
    logger: createLogger({ level: 'debug', base: {}, write }),
    lines,
    text: () => written.join(''),
    find: (matches) =>
      new Promise((resolve) => {
        const look = () => {
          const line = lines().find(matches)
          if (line === undefined) return
          waiting.delete(look)
          resolve(line)
        }
        waiting.add(look)
        look()
      }),
  }
}
