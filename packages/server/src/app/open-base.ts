import { type Clock, realClock, skewedClock } from '../platform/clock/clock.ts'
import { followClock } from '../platform/clock/follow-clock.ts'
import { keepTickShape } from '../platform/keep-tick-shape.ts'
import { createLog, type Logger, type LogLevel } from '../platform/log/logger.ts'
import { createMetrics, type Metrics } from '../platform/metrics/metrics.ts'
import { countProcess } from '../platform/metrics/process-metrics.ts'

export interface BaseOptions {
  readonly name: 'api' | 'worker' | 'playout' | 'receiver'
  readonly instance: string
  readonly logLevel: LogLevel
  readonly clockControl: string
  readonly clockSkewMs: number
}

/** Enough for probes and metrics; a process busy with jobs must not reject them. */
export const PROBE_LIMITS = { requestsInFlight: 100, eventLoopDelayMs: 60_000 }

export interface Base {
  readonly logger: Logger
  readonly metrics: Metrics
  readonly clock: Clock
  /** Compared with other clocks: the system clock, also where `clock` is steered by a test. */
  readonly systemClock: Clock
  /** Called last, at the end of the process. */
  close(): void
}

/** What a process needs without any other server: log, metrics and clock. */
export async function openBase(options: BaseOptions): Promise<Base> {
  const { name, instance, logLevel, clockControl, clockSkewMs } = options
  keepTickShape()
  const { logger, flush, droppedLines } = createLog({ level: logLevel, process: name, instance })
  // Also when the process crashes: its last lines matter most.
  process.once('exit', flush)
  const metrics = createMetrics()
  metrics.total('log_lines_dropped_total', 'Log lines dropped because the output was too slow.', droppedLines)
  const processMetrics = countProcess(metrics)
  const steered = clockControl === '' ? undefined : await followClock(clockControl)
  if (steered !== undefined)
    logger.warn({ control: clockControl }, 'clock is steered by CLOCK_CONTROL: this is a test')
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
      // An IPC channel to the parent would keep the process alive.
      if (process.connected) process.disconnect()
    },
  }
}
