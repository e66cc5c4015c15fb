import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Metrics } from './metrics.ts'

const NS_PER_SECOND = 1e9

/** What every process tells of itself. */
export function countProcess(metrics: Metrics): { close(): void } {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  metrics.gauge(
    'process_event_loop_delay_p99_seconds',
    'How late timers ran since the last reading, 99th percentile.',
    () => {
      const p99 = delay.percentile(99) / NS_PER_SECOND
      delay.reset()
      return p99
    },
  )
  metrics.gauge('process_resident_memory_bytes', 'Memory held.', () => process.memoryUsage.rss())
  metrics.gauge('process_heap_used_bytes', 'JavaScript heap in use.', () => process.memoryUsage().heapUsed)
  metrics.total('process_cpu_seconds_total', 'Processor time used.', () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  })
  metrics.gauge('process_uptime_seconds', 'Time since the start.', () => process.uptime())
  return { close: () => delay.disable() }
}
