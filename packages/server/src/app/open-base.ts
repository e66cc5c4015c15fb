import { type Clock, realClock, skewedClock } from '../platform/clock/clock.ts'
import { followClock } from '../platform/clock/follow-clock.ts'
import { keepTickShape } from '../platform/keep-tick-shape.ts'
import { createLog, type Logger, type LogLevel } from '../platform/logger.ts'
import { createMetrics, type Metrics } from '../platform/metrics.ts'
import { countProcess } from '../platform/process-metrics.ts'

export interface BaseOptions {
  readonly name: 'api' | 'worker' | 'playout' | 'receiver'
  readonly instance: string
  readonly logLevel: LogLevel
  readonly clockControl: string
  readonly clockSkewMs: number
}

/** Probes and metrics need no more, and jobs that keep the process busy are no reason to refuse them. */
export const PROBE_LIMITS = { requestsInFlight: 100, eventLoopDelayMs: 60_000 }

export interface Base {
  readonly logger: Logger
  readonly metrics: Metrics
  readonly clock: Clock
  /** What is compared with other clocks: that of the system, also where `clock` is steered by a test. */
  readonly systemClock: Clock
  /** The last thing that a process does. */
  close(): void
}

/** What a process has without any other server: log, metrics and clock. */
export async function openBase(options: BaseOptions): Promise<Base> {
  const { name, instance, logLevel, clockControl, clockSkewMs } = options
  keepTickShape()
  const { logger, flush, droppedLines } = createLog({ level: logLevel, process: name, instance })
  // Also when the process ends by a bug: its last lines are the ones that matter.
  process.once('exit', flush)
  const metrics = createMetrics()
  metrics.total('log_lines_dropped_total', 'Lines that a slow disk or pipe did not take.', droppedLines)
  const processMetrics = countProcess(metrics)
  const steered = clockControl === '' ? undefined : await followClock(clockControl)
  if (steered !== undefined) logger.warn({ control: clockControl }, 'the clock is steered: this is a test')
  if (clockSkewMs !== 0)
    logger.warn({ skew_ms: clockSkewMs }, 'clock is skewed by CLOCK_SKEW_MS: this is a test')
  return {
    logger,
    metrics,
    clock: skewedClock(steered?.clock ?? realClock, clockSkewMs),
    systemClock: skewedClock(realClock, clockSkewMs),
    close() {
      steered?.close()
      processMetrics.close()
      // A parent's channel would keep the process alive.
      if (process.connected) process.disconnect()
    },
  }
}
