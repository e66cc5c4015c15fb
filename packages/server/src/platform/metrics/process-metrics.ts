import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Metrics } from './metrics.ts'

const NS_PER_SECOND = 1e9

/** The metrics of every process. */
export function countProcess(metrics: Metrics): { close(): void } {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  metrics.gauge(
    'process_event_loop_delay_p99_seconds',
    '99th percentile of the event loop delay since the last scrape.',
    () => {
      const p99 = delay.percentile(99) / NS_PER_SECOND
      delay.reset()
      return p99
    },
  )
  metrics.gauge('process_resident_memory_bytes', 'Resident memory size.', () => process.memoryUsage.rss())
  metrics.gauge('process_heap_used_bytes', 'JavaScript heap in use.', () => process.memoryUsage().heapUsed)
  metrics.total('process_cpu_seconds_total', 'Total user and system CPU time.', () => {
    const { user, system } = process.cpuUsage()
    return (user + system) / 1e6
  })
  metrics.gauge('process_uptime_seconds', 'Time since the start of the process.', () => process.uptime())
  return { close: () => delay.disable() }
}
