import type { Screen } from './command.ts'
import { drawBar } from './draw-bar.ts'
import { printable } from './table.ts'

/** The counters of a progress. `bytes` is omitted if the total is unknown. */
export interface Counters {
  readonly rows: number
  readonly failed: number
  readonly bytes?: { readonly read: number; readonly total: number }
}

export interface Progress {
  update(now: Counters): void
  /** A line that stays, above the bar. */
  log(line: string): void
  end(): void
}

/** Often on a terminal, rarely in a log. */
const TERMINAL_EVERY_MS = 100
const LOG_EVERY_MS = 10_000

export function createProgress(screen: Screen, clock: () => number): Progress {
  const startMs = clock()
  let first: Counters | undefined // progress of an earlier run, which does not count for the speed
  let drawnMs = startMs
  let isDrawn = false

  const clear = () => {
    if (isDrawn) screen.write('\r\u001b[K')
    isDrawn = false
  }
  return {
    update(now) {
      first ??= now
      const nowMs = clock()
      const line = lineOf(first, now, nowMs - startMs)
      if (!screen.isTerminal) {
        if (nowMs - drawnMs < LOG_EVERY_MS) return
        screen.write(`${line.join('  ')}\n`)
      } else {
        if (nowMs - drawnMs < TERMINAL_EVERY_MS) return
        screen.write(`\r${barOf(now, line, screen.columns())}\u001b[K`)
        isDrawn = true
      }
      drawnMs = nowMs
    },
    log(line) {
      clear()
      screen.write(`${printable(line)}\n`)
    },
    end: clear,
  }
}

/** The parts of a line: percent, rows, speed, time left, failures. */
export function lineOf(first: Counters, now: Counters, elapsedMs: number): string[] {
  const perSecond = ((now.rows - first.rows) / Math.max(elapsedMs, 1)) * 1_000
  const share = shareOf(now)
  return [
    ...(share === undefined ? [] : [`${Math.floor(share * 100)} %`.padStart(5)]),
    `${whole(now.rows)} rows`,
    `${whole(perSecond)}/s`,
    ...timeLeft(first, now, elapsedMs),
    ...(now.failed > 0 ? [`${whole(now.failed)} failed`] : []),
  ]
}

function timeLeft(first: Counters, now: Counters, elapsedMs: number): string[] {
  if (first.bytes === undefined || now.bytes === undefined) return []
  const readBytes = now.bytes.read - first.bytes.read
  if (readBytes <= 0) return []
  const seconds = Math.round((((now.bytes.total - now.bytes.read) / readBytes) * elapsedMs) / 1_000)
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  const two = (value: number) => String(value).padStart(2, '0')
  return [`${hours > 0 ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)} left`]
}

/** The bar takes the rest of the line after the text; if that is too short, there is no bar. */
function barOf(now: Counters, line: readonly string[], columns: number): string {
  const text = line.join('  ')
  const width = Math.min(40, columns - text.length - 3)
  const share = shareOf(now)
  if (share === undefined || width < 10) return text.slice(0, columns - 1)
  return `${drawBar(share, width)} ${text}`
}

function shareOf({ bytes }: Counters): number | undefined {
  if (bytes === undefined) return undefined
  return bytes.total === 0 ? 1 : Math.min(1, bytes.read / bytes.total)
}

const whole = (value: number): string => Math.round(value).toLocaleString('en-US')
